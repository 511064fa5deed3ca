-- Checks the limits of an event in one trigger. PostgreSQL parses all check constraints of a table anew for each statement that
-- inserts: those that this replaces took three quarters of the CPU time of an insert. Each limit keeps its name in errors.
-- It has no search_path of its own, because setting one takes longer than all checks, so it names pg_catalog everywhere: a producer's
-- search_path must not replace what a limit means. PL/pgSQL prepares each expression anew in every transaction, function by function, so
-- there are few of both, and most events return before the long expression that finds which limit is violated. The first one is stricter
-- than the limits: it looks at all names at once.
create function waybill.require_storable() returns trigger language plpgsql as $$
declare
    names    pg_catalog.text;
    violated pg_catalog.text;
begin
    names := pg_catalog.format('%s%s%s%s%s', new.type, new.aggregate_type, new.aggregate_id, new.topic, new.key);
    if pg_catalog.octet_length(names) operator(pg_catalog.<=) 255
        and names operator(pg_catalog.!~) '[\u0001-\u001F\u007F-\u009F]'
        and least(new.type collate pg_catalog."C", new.aggregate_type, new.aggregate_id, new.topic, new.key)
            operator(pg_catalog.<>) ''
        and pg_catalog.octet_length(new.payload::pg_catalog.text) operator(pg_catalog.<=) 16777216
        and new.payload_bytes is null and new.content_type is null then
        if new.headers is null then
            return new;
        end if;
        if pg_catalog.jsonb_typeof(new.headers) operator(pg_catalog.=) 'object'
            and pg_catalog.octet_length(new.headers::pg_catalog.text) operator(pg_catalog.<=) 131072
            and not pg_catalog.jsonb_path_exists(
                new.headers, 'strict $.* ? (@.type() != "string" && @.type() != "null")', '{}', true) then
            return new;
        end if;
    end if;
    violated := case
        when new.type operator(pg_catalog.=) '' or pg_catalog.length(new.type) operator(pg_catalog.>) 255
            then 'event_has_a_type'
        when new.aggregate_type operator(pg_catalog.=) '' or pg_catalog.length(new.aggregate_type) operator(pg_catalog.>) 255
            or new.aggregate_id operator(pg_catalog.=) '' or pg_catalog.length(new.aggregate_id) operator(pg_catalog.>) 1000
            then 'event_has_an_aggregate'
        when pg_catalog.concat(new.type, new.aggregate_type, new.topic, new.content_type)
            operator(pg_catalog.~) '[\u0001-\u001F\u007F-\u009F]'
            then 'event_names_have_no_control_characters'
        when pg_catalog.num_nonnulls(new.payload, new.payload_bytes) operator(pg_catalog.<>) 1
            then 'event_has_one_payload'
        when pg_catalog.num_nonnulls(new.payload_bytes, new.content_type) operator(pg_catalog.=) 1
            then 'event_payload_bytes_have_a_content_type'
        when pg_catalog.octet_length(new.payload::pg_catalog.text) operator(pg_catalog.>) 16777216
            or pg_catalog.octet_length(new.payload_bytes) operator(pg_catalog.>) 16777216
            then 'event_payload_is_at_most_16_mib'
        when new.topic operator(pg_catalog.=) '' or pg_catalog.length(new.topic) operator(pg_catalog.>) 255
            or new.key operator(pg_catalog.=) '' or pg_catalog.length(new.key) operator(pg_catalog.>) 1000
            then 'event_topic_and_key_are_not_empty'
        when pg_catalog.length(new.content_type) operator(pg_catalog.>) 255
            then 'event_content_type_is_short'
        when pg_catalog.jsonb_typeof(new.headers) operator(pg_catalog.<>) 'object'
            then 'event_headers_are_an_object'
        when pg_catalog.octet_length(new.headers::pg_catalog.text) operator(pg_catalog.>) 131072
            then 'event_headers_are_at_most_128_kib'
        when pg_catalog.jsonb_path_exists(
                new.headers, 'strict $.* ? (@.type() != "string" && @.type() != "null")', '{}', true)
            then 'event_headers_are_strings'
        end;
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
