-- Checks the limits of an event in one trigger. PostgreSQL parses all check constraints of a table anew for each statement that
-- inserts: those that this replaces took three quarters of the CPU time of an insert. Each limit keeps its name in errors.
create function waybill.require_storable() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    violated text;
begin
    -- Most events return here. PL/pgSQL prepares each expression anew in every transaction: one is faster than many.
    if length(new.type) between 1 and 255
        and length(new.aggregate_type) between 1 and 255
        and length(new.aggregate_id) between 1 and 1000
        and new.type || new.aggregate_type !~ '[\u0001-\u001F\u007F-\u009F]'
        and octet_length(new.payload::text) <= 16777216
        and new.payload_bytes is null and new.content_type is null
        and new.topic is null and new.key is null and new.headers is null then
        return new;
    end if;
    if new.type = '' or length(new.type) > 255 then
        violated := 'event_has_a_type';
    elsif new.aggregate_type = '' or length(new.aggregate_type) > 255
        or new.aggregate_id = '' or length(new.aggregate_id) > 1000 then
        violated := 'event_has_an_aggregate';
    elsif new.type || new.aggregate_type || coalesce(new.topic, '') || coalesce(new.content_type, '')
        ~ '[\u0001-\u001F\u007F-\u009F]' then
        violated := 'event_names_have_no_control_characters';
    elsif num_nonnulls(new.payload, new.payload_bytes) <> 1 then
        violated := 'event_has_one_payload';
    elsif (new.payload_bytes is null) <> (new.content_type is null) then
        violated := 'event_payload_bytes_have_a_content_type';
    elsif octet_length(new.payload::text) > 16777216 or octet_length(new.payload_bytes) > 16777216 then
        violated := 'event_payload_is_at_most_16_mib';
    elsif new.topic = '' or length(new.topic) > 255 or new.key = '' or length(new.key) > 1000 then
        violated := 'event_topic_and_key_are_not_empty';
    elsif length(new.content_type) > 255 then
        violated := 'event_content_type_is_short';
    elsif jsonb_typeof(new.headers) <> 'object' then
        violated := 'event_headers_are_an_object';
    elsif octet_length(new.headers::text) > 131072 then
        violated := 'event_headers_are_at_most_128_kib';
    elsif jsonb_path_exists(new.headers, 'strict $.* ? (@.type() != "string" && @.type() != "null")', '{}', true) then
        violated := 'event_headers_are_strings';
    end if;
    if violated is not null then
        raise exception 'new row for relation "event" violates check constraint "%"', violated
            using errcode = 'check_violation', schema = 'waybill', table = 'event', constraint = violated;
    end if;
    return new;
end $$;
revoke all on function waybill.require_storable() from public;

-- Existing events are not checked. Producers queue behind a pending lock request, so it is given up soon and repeated a little
-- later.
do $$
declare
    before text := current_setting('lock_timeout');
begin
    for attempt in 1..60 loop
        begin
            perform set_config('lock_timeout', '200ms', true);
            alter table waybill.event
                drop constraint if exists event_has_a_type,
                drop constraint if exists event_has_an_aggregate,
                drop constraint if exists event_names_have_no_control_characters,
                drop constraint if exists event_has_one_payload,
                drop constraint if exists event_payload_bytes_have_a_content_type,
                drop constraint if exists event_payload_is_at_most_16_mib,
                drop constraint if exists event_topic_and_key_are_not_empty,
                drop constraint if exists event_content_type_is_short,
                drop constraint if exists event_headers_are_an_object,
                drop constraint if exists event_headers_are_at_most_128_kib,
                drop constraint if exists event_headers_are_strings;
            create trigger event_is_storable before insert or update on waybill.event
                for each row execute function waybill.require_storable();
            alter table waybill.event enable always trigger event_is_storable;
            perform set_config('lock_timeout', before, true);
            return;
        exception when lock_not_available then
            perform pg_sleep(0.5);
        end;
    end loop;
    raise exception 'waybill.event was in use by long transactions for 40 seconds: end them (pg_stat_activity), or try again'
        using errcode = 'lock_not_available';
end $$;
