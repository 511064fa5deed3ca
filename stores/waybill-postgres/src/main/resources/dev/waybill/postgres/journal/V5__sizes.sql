-- Dead events may be many, and relays do not read them: the queries of relays use indexes that exclude them.
drop index waybill.parked_key;
create index parked_due_key on waybill.parked (relay, key, seq) where state = 'due';
create index parked_waiting_key on waybill.parked (relay, key, seq) where state = 'waiting';
create index parked_holding on waybill.parked (relay, seq) where state = 'dead' and holds;
-- For listings. The conditions are written differently, so that the planner does not use these indexes for queries by key.
create index parked_due_list on waybill.parked (relay, seq) where lower(state) = 'due';
create index parked_waiting_list on waybill.parked (relay, seq) where lower(state) = 'waiting';

-- Counts the changes that others made to the parked events of a relay. A session reads them again when the number changes.
alter table waybill.relay add column parked_changes bigint not null default 0;

-- Limits the size of an event to what a relay can hold. A number of few bytes may have 130,000 digits as text. Existing events
-- are not checked. Producers queue behind a pending lock request, so it is given up soon and repeated a little later.
do $$
declare
    before text := current_setting('lock_timeout');
begin
    for attempt in 1..60 loop
        begin
            perform set_config('lock_timeout', '200ms', true);
            alter table waybill.event
                add constraint event_payload_is_at_most_16_mib check (octet_length(payload::text) <= 16777216
                    and octet_length(payload_bytes) <= 16777216) not valid,
                add constraint event_headers_are_at_most_128_kib check (octet_length(headers::text) <= 131072) not valid,
                add constraint event_headers_are_strings check (not jsonb_path_exists(headers,
                    'strict $.* ? (@.type() != "string" && @.type() != "null")', '{}', true)) not valid,
                add constraint event_content_type_is_short check (length(content_type) <= 255) not valid;
            perform set_config('lock_timeout', before, true);
            return;
        exception when lock_not_available then
            perform pg_sleep(0.5);
        end;
    end loop;
    raise exception 'waybill.event was in use by long transactions for 40 seconds: end them (pg_stat_activity), or try again'
        using errcode = 'lock_not_available';
end $$;
