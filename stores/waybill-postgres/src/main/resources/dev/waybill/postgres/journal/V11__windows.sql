-- Windows of relays whose position is committed by their destination, together with the messages. A row is written before the first
-- event of the window is sent, and kept until a committed position is behind the window: that position names the row. The id is
-- random, because after a failover numbers may be assigned again.
--
-- requeued: seqs of parked events that are sent between two events of the journal. The other columns then are the position at
-- which the journal is read on.
create table waybill.open_window (
    number       bigint      generated always as identity primary key,
    relay        text        not null references waybill.relay on delete cascade,
    id           uuid        not null default gen_random_uuid(),
    base         pg_snapshot not null,
    base_next    xid8        not null,
    base_floor   bigint      not null,
    target       pg_snapshot,
    target_next  xid8,
    target_floor bigint,
    high         bigint,
    seq          bigint      not null,
    requeued     bigint[],
    opened_at    timestamptz not null default clock_timestamp(),
    unique (relay, id)
) with (autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0);
create index open_window_relay on waybill.open_window (relay, number);

-- windows: whether the position of the relay's last session is committed by its destination.
-- committed_*: the committed position that the relay's own position corresponds to; null for a relay that saves its position itself.
alter table waybill.relay
    add column windows          boolean not null default false,
    add column committed_window uuid,
    add column committed_seq    bigint;
