create table if not exists licenses (
    id text primary key,
    store_id bigint not null,
    status text not null,
    reason text);

create table if not exists outbox_events (
    id uuid primary key,
    event_type varchar(255) not null,
    aggregate_type varchar(255) not null,
    aggregate_id varchar(255) not null,
    payload_json json not null,
    created_at timestamptz not null default now(),
    published_at timestamptz,
    attempt_count integer not null default 0,
    last_error text);
