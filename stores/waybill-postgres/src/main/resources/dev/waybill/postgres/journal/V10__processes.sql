-- Processes that share the relays of this database evenly. Each announces itself, also while it holds no lease: how many relays it runs
-- in all its databases, and which of this one it runs or would run.
create table waybill.process (
    id     text        primary key,
    beat   bigint      not null,
    held   integer     not null,
    relays text[]      not null,
    until  timestamptz not null
) with (fillfactor = 20, autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0);
