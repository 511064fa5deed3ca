-- The lease of a relay is a separate row, so renewing it waits neither for a save nor for a change by an operator. relay.epoch
-- fences saves; a takeover changes both rows in one transaction. An older Waybill that expects the lease in waybill.relay finds no
-- column there and stops, instead of running beside the owner.
create table waybill.lease (
    relay       text        primary key references waybill.relay on delete cascade,
    owner       text,
    epoch       bigint      not null default 0,
    lease_until timestamptz not null default '-infinity'
) with (fillfactor = 20, autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0);
insert into waybill.lease (relay, owner, epoch, lease_until) select name, owner, epoch, lease_until from waybill.relay;
alter table waybill.relay drop column owner, drop column lease_until;

-- Relays that were dropped: a process that still has one in its configuration does not start it again.
create table waybill.dropped (
    relay text        primary key,
    at    timestamptz not null default clock_timestamp(),
    who   text        not null,
    why   text        not null
);
