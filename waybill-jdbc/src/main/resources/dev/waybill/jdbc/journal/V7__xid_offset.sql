-- What is added to the xids of this cluster before they are written down. Adopting a journal that came from another cluster sets
-- it above every xid that came along: those stay in the past, and no event has to be rewritten.
create table waybill.xid_offset (
    only_row boolean primary key default true check (only_row),
    value    bigint  not null default 0 check (value >= 0)
);
insert into waybill.xid_offset default values;
