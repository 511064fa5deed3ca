-- Tells this schema from a copy of it. A dump carries id, but the row it makes has another xmin; a physical copy and pg_upgrade
-- keep both. The row is never updated.
create table waybill.identity (
    only_row boolean primary key default true check (only_row),
    id       uuid    not null default gen_random_uuid()
);
insert into waybill.identity default values;

-- Under which system identifier that identity was seen, by roles that the server shows it to.
create table waybill.cluster (
    system_id text not null,
    kept      text not null,
    primary key (system_id, kept)
);

-- The environment that the first relay with a configured one bound this database to.
create table waybill.environment (
    only_row boolean     primary key default true check (only_row),
    name     text        not null check (name <> '' and length(name) <= 100),
    bound_at timestamptz not null default clock_timestamp()
);
