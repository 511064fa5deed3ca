-- A replay is a relay that reads one window, from nothing to the snapshot taken when it began, and of that only what matches.
-- total is counted when it begins, sent is saved with the relay's position, not_sent is what a cancelled one left out.
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
