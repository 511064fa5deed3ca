-- A replay is a relay that reads one window, from the beginning to the snapshot taken at its start, and only events that match.
-- total is counted at the start, sent is saved with the position, not_sent is what a cancelled replay left out.
create table waybill.replay (
    relay          text        primary key references waybill.relay on delete cascade,
    created_from   timestamptz not null default '-infinity',
    created_until  timestamptz not null default 'infinity',
    type           text,
    aggregate_type text,
    aggregate_id   text,
    who            text        not null,
    why            text        not null,
    started_at     timestamptz not null default clock_timestamp(),
    total          bigint      not null,
    total_exact    boolean     not null,
    sent           bigint      not null default 0,
    cancelled_by   text,
    cancelled_why  text,
    ended_at       timestamptz,
    not_sent       bigint,
    not_sent_exact boolean
);
