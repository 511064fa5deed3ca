-- Distinguishes this schema from a copy. A dump contains id, but a restored row has another xmin; a physical copy and pg_upgrade
-- keep both. The row is never updated.
create table waybill.identity (
    only_row boolean primary key default true check (only_row),
    id       uuid    not null default gen_random_uuid()
);
insert into waybill.identity default values;

-- The system identifiers of that identity, recorded by roles that may see them.
create table waybill.cluster (
    system_id text not null,
    kept      text not null,
    primary key (system_id, kept)
);

-- The environment this database is bound to, by the first relay that has one configured.
create table waybill.environment (
    only_row boolean     primary key default true check (only_row),
    name     text        not null check (name <> '' and length(name) <= 100),
    bound_at timestamptz not null default clock_timestamp()
);
