-- Events that an operator discarded, for each relay. Retention deletes the row with its event.
create table waybill.discarded (
    seq      bigint      not null,
    relay    text        not null references waybill.relay on delete cascade,
    at       timestamptz not null default clock_timestamp(),
    attempts integer     not null,
    note     text        not null,
    primary key (seq, relay)
);
create index discarded_relay on waybill.discarded (relay, seq);
