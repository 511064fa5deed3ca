create table if not exists notifications (
    id bigint generated always as identity primary key,
    type text not null,
    audience text not null,
    store_id bigint not null,
    link text not null,
    reason text,
    event_id text not null unique);

create table if not exists license_index (
    license_id text not null,
    status text not null,
    event_id text not null unique);
