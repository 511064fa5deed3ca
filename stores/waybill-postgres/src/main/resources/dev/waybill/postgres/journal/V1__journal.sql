-- The journal: applications insert, nothing updates. xid comes before seq because defaults are evaluated in the order of the
-- columns: a transaction must have its xid before its event gets a seq (see WindowReader).
create table waybill.event (
    xid               xid8        not null default pg_current_xact_id(),
    seq               bigint      generated always as identity (cache 1) primary key,
    id                uuid        not null unique default gen_random_uuid(),
    type              text        not null,
    version           integer     not null default 1,
    aggregate_type    text        not null,
    aggregate_id      text        not null,
    aggregate_version bigint,
    topic             text,
    key               text,
    payload           json,
    payload_bytes     bytea,
    content_type      text,
    headers           jsonb,
    created_at        timestamptz not null default clock_timestamp(),
    constraint event_has_a_type check (type <> '' and length(type) <= 255),
    constraint event_has_an_aggregate check (aggregate_type <> '' and length(aggregate_type) <= 255
        and aggregate_id <> '' and length(aggregate_id) <= 1000),
    constraint event_has_one_payload check (num_nonnulls(payload, payload_bytes) = 1),
    constraint event_payload_bytes_have_a_content_type check ((payload_bytes is null) = (content_type is null)),
    constraint event_topic_and_key_are_not_empty check (topic <> '' and length(topic) <= 255 and key <> '' and length(key) <= 1000),
    constraint event_headers_are_an_object check (jsonb_typeof(headers) = 'object')
);
create index event_xid_seq on waybill.event (xid, seq);

-- Epochs are never used twice, not even by a relay that was dropped and created again.
create sequence waybill.epoch;

-- One row per relay: its position (JournalPosition) and its owner. Saved several times a second, so it is kept on few pages.
create table waybill.relay (
    name         text        primary key,
    system_id    text        not null,
    base         pg_snapshot not null,
    base_next    xid8        not null,
    base_floor   bigint      not null,
    target       pg_snapshot,
    target_next  xid8,
    target_floor bigint,
    high         bigint,
    seq          bigint      not null,
    saved_at     timestamptz not null default clock_timestamp(),
    owner        text,
    epoch        bigint      not null default 0,
    lease_until  timestamptz not null default '-infinity',
    paused       boolean     not null default false,
    created_at   timestamptz not null default clock_timestamp()
) with (fillfactor = 20, autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0);

-- Events that await a retry, wait behind another event of their key, or are dead. key is a hash of the event's key.
create table waybill.parked (
    relay           text        not null references waybill.relay on delete cascade,
    seq             bigint      not null,
    key             uuid        not null,
    state           text        not null check (state in ('due', 'waiting', 'dead')),
    holds           boolean     not null default false,
    attempts        integer     not null default 0,
    error           text,
    next_attempt_at timestamptz,
    parked_at       timestamptz not null default clock_timestamp(),
    primary key (relay, seq)
);
create index parked_key on waybill.parked (relay, key, seq);
create index parked_due on waybill.parked (relay, next_attempt_at, seq) where state = 'due';
create index parked_dead on waybill.parked (relay, seq) where state = 'dead';
create index parked_blocker on waybill.parked (relay, key, seq)
    where (state = 'dead' and holds) or (state = 'due' and next_attempt_at > '-infinity');

-- When events were published, in coarse steps.
create table waybill.window_log (
    relay     text        not null references waybill.relay on delete cascade,
    logged_at timestamptz not null default clock_timestamp(),
    base      pg_snapshot not null,
    target    pg_snapshot,
    seq       bigint      not null,
    events    bigint      not null,
    primary key (relay, logged_at)
);

create table waybill.audit (
    id      bigint      generated always as identity primary key,
    at      timestamptz not null default clock_timestamp(),
    who     text        not null,
    why     text        not null,
    action  text        not null,
    relay   text        not null,
    details text        not null
);
