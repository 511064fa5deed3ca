-- The offset that is added to the xids of this cluster when they are stored. Adopting a journal from another cluster sets it above
-- every restored xid: those remain in the past, and no event has to be rewritten. The default of event.xid adds the same number.
-- adopted_xid is the xid of the transaction that adopted.
create table waybill.xid_offset (
    only_row    boolean primary key default true check (only_row),
    value       bigint  not null default 0 check (value >= 0),
    adopted_xid bigint  not null default 0
);
insert into waybill.xid_offset default values;
