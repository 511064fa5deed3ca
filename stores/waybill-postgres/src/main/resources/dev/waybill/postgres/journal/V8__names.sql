-- Names are displayed and logged, where a line break or an escape sequence could be mistaken for something else. Existing events
-- are not checked. Producers queue behind a pending lock request, so it is given up soon and repeated a little later.
do $$
declare
    before text := current_setting('lock_timeout');
begin
    for attempt in 1..60 loop
        begin
            perform set_config('lock_timeout', '200ms', true);
            alter table waybill.event
                add constraint event_names_have_no_control_characters check (
                    type || aggregate_type || coalesce(topic, '') || coalesce(content_type, '')
                        !~ '[\u0001-\u001F\u007F-\u009F]') not valid;
            perform set_config('lock_timeout', before, true);
            return;
        exception when lock_not_available then
            perform pg_sleep(0.5);
        end;
    end loop;
    raise exception 'waybill.event was in use by long transactions for 40 seconds: end them (pg_stat_activity), or try again'
        using errcode = 'lock_not_available';
end $$;
