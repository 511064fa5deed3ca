-- Operators act through functions that belong to the owner of this schema. Each does one complete change and writes its audit
-- entry in the same transaction: a role that may only call them can change nothing else. Their search_path is fixed, and no role
-- may call them without a grant.

-- who is the database user, address that of the client, said the name that the operator gave. Older entries have no xid: their who
-- is the name that was given.
alter table waybill.audit
    add column said    text,
    add column address inet,
    add column allowed boolean not null default true,
    add column xid     xid8;

-- The name that the operator gave, without characters that cannot be displayed; if empty, the database user.
create function waybill.said(by_said text) returns text language sql stable set search_path = pg_catalog, pg_temp as $$
    select left(coalesce(nullif(btrim(by_said, E' \t\n\r\f\v'), ''), session_user), 1000)
$$;

-- User, address and time always come from the database, whatever the writer of the entry gives.
create function waybill.audit_by_database() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    new.said := waybill.said(coalesce(new.said, new.who));
    new.who := session_user;
    new.address := inet_client_addr();
    new.at := clock_timestamp();
    new.xid := pg_current_xact_id();
    return new;
end $$;
create trigger audit_by_database before insert on waybill.audit for each row execute function waybill.audit_by_database();

-- A single entry: a denied command, or the end of something.
create function waybill.note_audit(of_action text, of_relay text, to_what text, by_said text, by_why text, was_allowed boolean)
    returns bigint language sql security definer set search_path = pg_catalog, pg_temp as $$
    insert into waybill.audit (who, said, why, action, relay, details, allowed)
    values ('', by_said, left(by_why, 4000), left(of_action, 100), left(of_relay, 255), left(to_what, 4000), was_allowed)
    returning id
$$;

-- Records a denied command; called by the role that was denied.
create function waybill.note_denial(of_action text, of_relay text, to_what text, by_said text, by_why text)
    returns bigint language sql security definer set search_path = pg_catalog, pg_temp as $$
    select waybill.note_audit(of_action, of_relay, to_what, by_said, by_why, false)
$$;

-- Records a change made elsewhere, for example to dead letters. Entries that allow reading a payload come only from ask_payload.
create function waybill.note_act(of_action text, of_relay text, to_what text, by_said text, by_why text)
    returns bigint language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    if of_action = 'payload' then
        raise exception 'An entry for a payload is written by ask_payload.' using errcode = 'insufficient_privilege';
    end if;
    return waybill.note_audit(of_action, of_relay, to_what, by_said, by_why, true);
end $$;

-- ---- parked events

-- Parking.reopen, with the statements DEMOTE_BLOCKED and PROMOTE_UNBLOCKED.
create function waybill.reopen(of_relay text, of_keys uuid[]) returns void
    language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    update waybill.parked set state = 'waiting', next_attempt_at = null
     where relay = of_relay and seq = any (array(
        select d.seq from unnest(of_keys::uuid[]) k(key)
         cross join lateral (
            select b.seq from waybill.parked b where b.relay = of_relay and b.key = k.key and ((b.state = 'dead' and b.holds) or (b.state = 'due' and b.next_attempt_at > '-infinity'))
             order by b.seq limit 1) blocker
         cross join lateral (
            select d.seq from waybill.parked d
             where d.relay = of_relay and d.key = k.key and d.state = 'due' and d.seq > blocker.seq
             order by d.seq offset 0) d));
    update waybill.parked set state = 'due', next_attempt_at = '-infinity'
     where relay = of_relay and seq = any (array(
        select w.seq from unnest(of_keys::uuid[]) k(key)
         cross join lateral (
            select w.seq from waybill.parked w
             where w.relay = of_relay and w.key = k.key and w.state = 'waiting'
               and w.seq < least(9223372036854775807,
                   (select d.seq from waybill.parked d
                     where d.relay = of_relay and d.key = k.key and d.state = 'due' order by d.seq limit 1),
                   (select b.seq from waybill.parked b
                     where b.relay = of_relay and b.key = k.key and ((b.state = 'dead' and b.holds) or (b.state = 'due' and b.next_attempt_at > '-infinity')) order by b.seq limit 1))
             order by w.seq limit 1000) w));
end $$;

-- Takes the lock on the relay's row until the end of the transaction, as the relay does when it saves, and counts the change for a
-- running session (see DueFloor). Called only by the functions below, which write the audit.
create function waybill.lock_relay(of_relay text) returns void
    language sql security definer set search_path = pg_catalog, pg_temp as $$
    update waybill.relay set parked_changes = parked_changes + 1 where name = of_relay
$$;

-- The events of an entry, from the database: how many, and their ids; followed by what the caller asked for.
create function waybill.which(of_seqs bigint[], asked_for text) returns text
    language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select cardinality(of_seqs) || ' events'
           || coalesce(' (' || string_agg(coalesce(e.id::text, 'seq ' || s.seq), ', ' order by s.seq) || ')', '')
           || '; asked for: ' || coalesce(asked_for, '')
      from unnest(of_seqs) s(seq) left join waybill.event e on e.seq = s.seq
$$;

-- An entry for every 100 events, which has room for all their ids; one entry if no event was changed.
create function waybill.note_changes(of_action text, of_relay text, of_seqs bigint[], asked_for text, by_said text, by_why text)
    returns void
    language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    seqs bigint[] := array(select u.seq from unnest(of_seqs) u(seq) order by u.seq);
begin
    for i in 0 .. greatest(0, cardinality(seqs) - 1) / 100 loop
        perform waybill.note_audit(of_action, of_relay, waybill.which(seqs[i * 100 + 1 : i * 100 + 100], asked_for), by_said,
            by_why, true);
    end loop;
end $$;

-- Events that are no longer in_state (if given) are not changed, nor those that have never failed and are due because nothing of
-- their key blocks them (ParkedSteps.REQUEUEABLE). Events that nothing blocks are then promoted. What is due at once stays so: while
-- it waited, later events of its key that are due would be sent.
create function waybill.requeue(of_relay text, of_seqs bigint[], in_state text, to_what text, by_said text, by_why text)
    returns integer
    language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    changed uuid[];
    seqs bigint[];
begin
    perform waybill.lock_relay(of_relay);
    with requeued as (
        update waybill.parked p
           set state = case when p.next_attempt_at = '-infinity' then p.state else 'waiting' end, holds = false, attempts = 0,
               next_attempt_at = case when p.next_attempt_at = '-infinity' then p.next_attempt_at end
         where p.relay = of_relay and p.seq = any (of_seqs) and p.state = coalesce(in_state, p.state)
           and p.state <> 'waiting' and (p.next_attempt_at = '-infinity' and p.error is null) is not true
        returning p.key, p.seq)
    select coalesce(array_agg(key), '{}'), coalesce(array_agg(seq), '{}') into changed, seqs from requeued;
    perform waybill.reopen(of_relay, changed);
    perform waybill.note_changes('requeue', of_relay, seqs, to_what, by_said, by_why);
    return cardinality(changed);
end $$;

create function waybill.discard(of_relay text, of_seqs bigint[], in_state text, to_what text, by_said text, by_why text)
    returns integer
    language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    changed uuid[];
    seqs bigint[];
begin
    perform waybill.lock_relay(of_relay);
    with gone as (
        delete from waybill.parked p
         where p.relay = of_relay and p.seq = any (of_seqs) and p.state = coalesce(in_state, p.state)
        returning p.relay, p.seq, p.key, p.attempts, p.error),
    noted as (
        insert into waybill.discarded (relay, seq, attempts, note)
        select g.relay, g.seq, g.attempts,
               'Discarded by ' || waybill.said(by_said) || ' (' || by_why || ')' || coalesce('; before: ' || g.error, '') from gone g
        on conflict (seq, relay) do nothing)
    select coalesce(array_agg(key), '{}'), coalesce(array_agg(seq), '{}') into changed, seqs from gone;
    perform waybill.reopen(of_relay, changed);
    perform waybill.note_changes('discard', of_relay, seqs, to_what, by_said, by_why);
    return cardinality(changed);
end $$;

-- ---- relays

create function waybill.set_paused(of_relay text, is_paused boolean, by_said text, by_why text) returns boolean
    language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    update waybill.relay set paused = is_paused where name = of_relay;
    perform waybill.note_audit(case when is_paused then 'pause' else 'resume' end, of_relay,
        case when found then '' else 'no such relay' end, by_said, by_why, true);
    return exists (select from waybill.relay where name = of_relay);
end $$;

-- If the relay is not dropped because it is running, returns its owner and the end of its lease. A replay may be dropped while it
-- runs: nothing starts it again.
create function waybill.drop_relay(of_relay text, by_said text, by_why text,
        out was_dropped boolean, out run_by text, out run_until timestamptz)
    language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    is_replay boolean;
begin
    was_dropped := false;
    perform waybill.lock_relay(of_relay);
    is_replay := exists (select from waybill.replay where relay = of_relay);
    if not is_replay then
        select l.owner, l.lease_until into run_by, run_until from waybill.lease l
         where l.relay = of_relay and l.lease_until > clock_timestamp() for update;
        if found then
            perform waybill.note_audit('drop', of_relay, 'it is run by ' || coalesce(run_by, ''), by_said, by_why, false);
            return;
        end if;
    end if;
    delete from waybill.relay where name = of_relay;
    was_dropped := found;
    if was_dropped and not is_replay then
        insert into waybill.dropped (relay, who, why) values (of_relay, waybill.said(by_said), left(by_why, 4000));
    end if;
    perform waybill.note_audit('drop', of_relay, case when was_dropped then '' else 'no such relay' end, by_said, by_why, true);
end $$;

create function waybill.restore_relay(of_relay text, by_said text, by_why text) returns boolean
    language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    delete from waybill.dropped where relay = of_relay;
    if not found then
        return false;
    end if;
    perform waybill.note_audit('restore', of_relay, '', by_said, by_why, true);
    return true;
end $$;

-- ---- replays

-- Creates a relay for the replay; null if there is one of that name. Identity and snapshot come from the database, and seqs are
-- limited to those assigned, because checks for other relays read these rows. Returns the snapshot of the replay.
create function waybill.start_replay(of_relay text, from_floor bigint, to_high bigint, from_time timestamptz,
        until_time timestamptz, of_type text, of_aggregate_type text, of_aggregate_id text, to_what text, by_said text,
        by_why text) returns pg_snapshot
    language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    on_system text;
    seen pg_snapshot;
    last bigint;
begin
    if of_relay is null or of_relay !~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$' then
        raise exception 'No relay can have that name.' using errcode = 'invalid_parameter_value';
    end if;
    if from_time >= until_time then
        raise exception 'The end of a replay must be after its beginning.' using errcode = 'invalid_parameter_value';
    end if;
    if greatest(length(of_type), length(of_aggregate_type), length(of_aggregate_id)) > 1000 then
        raise exception 'No event has so long a type or aggregate.' using errcode = 'invalid_parameter_value';
    end if;
    -- ServerIdentity.kept, which every role sees, whether or not the owner of this function may see the system identifier.
    select 'schema:' || i.id || ':' || i.xmin || ':' || 'waybill.event'::regclass::oid into strict on_system
      from waybill.identity i;
    select ((pg_snapshot_xmin(n.s)::text::bigint + o.value) || ':' || (pg_snapshot_xmax(n.s)::text::bigint + o.value) || ':'
            || coalesce((select string_agg((x::text::bigint + o.value)::text, ',' order by x) from pg_snapshot_xip(n.s) x), '')
           )::pg_snapshot
      into strict seen from (select pg_current_snapshot() as s) n cross join waybill.xid_offset o;
    last := coalesce(pg_sequence_last_value('waybill.event_seq_seq'), 0);
    from_floor := greatest(0, least(from_floor, last));
    to_high := greatest(0, least(to_high, last));
    insert into waybill.relay (name, system_id, base, base_next, base_floor, target, target_next, target_floor, high, seq)
    values (of_relay, on_system, '3:3:', '3', from_floor, seen, pg_snapshot_xmax(seen), from_floor, to_high, 0)
    on conflict (name) do nothing;
    if not found then
        return null;
    end if;
    insert into waybill.lease (relay) values (of_relay);
    insert into waybill.replay (relay, created_from, created_until, type, aggregate_type, aggregate_id, who, why, total,
                                total_exact)
    values (of_relay, coalesce(from_time, '-infinity'), coalesce(until_time, 'infinity'), of_type, of_aggregate_type,
            of_aggregate_id, waybill.said(by_said), left(by_why, 4000), 0, false);
    perform waybill.note_audit('replay-start', of_relay,
        'events ' || from_floor + 1 || ' to ' || to_high || coalesce(', from ' || from_time, '') || coalesce(', until ' || until_time, '')
            || coalesce(', type ' || of_type, '') || coalesce(', aggregate type ' || of_aggregate_type, '')
            || coalesce(', aggregate ' || of_aggregate_id, '') || '; asked for: ' || coalesce(to_what, ''), by_said, by_why, true);
    return seen;
end $$;

-- Set once, by the client that counted the events in steps. For display only, so without an audit entry; limited to the number of
-- events there can be.
create function waybill.set_replay_total(of_relay text, of_events bigint, is_exact boolean) returns void
    language sql security definer set search_path = pg_catalog, pg_temp as $$
    update waybill.replay q set total = greatest(0, least(of_events, r.high - r.base_floor)), total_exact = is_exact
      from waybill.relay r
     where r.name = q.relay and q.relay = of_relay and q.total = 0 and not q.total_exact
$$;

-- Returns whether the replay is not running. A late session can then neither renew nor save, since assigned epochs are positive.
create function waybill.cancel_replay(of_relay text, by_said text, by_why text) returns boolean
    language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    if not exists (select from waybill.replay where relay = of_relay) then
        return false;
    end if;
    -- A running session sees this at its next poll. It locks the rows in this order, too, when it saves.
    update waybill.relay set paused = true where name = of_relay;
    update waybill.replay set cancelled_by = waybill.said(by_said), cancelled_why = left(by_why, 4000)
     where relay = of_relay and ended_at is null and cancelled_by is null;
    if found then
        perform waybill.note_audit('replay-cancel', of_relay, '', by_said, by_why, true);
    end if;
    update waybill.lease set owner = null, lease_until = '-infinity', epoch = -abs(epoch)
     where relay = of_relay and lease_until <= clock_timestamp();
    if not found then
        return false;
    end if;
    update waybill.relay set epoch = -abs(epoch) where name = of_relay;
    return true;
end $$;

-- Ends a cancelled replay that is not running. Parked events are not sent any more either. The caller has counted the unread
-- events; the number is limited to what there can be.
create function waybill.end_cancelled_replay(of_relay text, left_out bigint, is_exact boolean, by_said text, by_why text)
    returns boolean
    language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    unread bigint;
    ended waybill.replay;
begin
    perform waybill.lock_relay(of_relay);
    select greatest(0, r.high - greatest(r.base_floor, r.seq)) into unread from waybill.relay r where r.name = of_relay;
    left_out := greatest(0, least(left_out, unread));
    update waybill.replay q set ended_at = clock_timestamp(), not_sent_exact = is_exact,
           not_sent = left_out + (select count(*) from waybill.parked p where p.relay = q.relay and p.state in ('due', 'waiting'))
     where q.relay = of_relay and q.ended_at is null and q.cancelled_by is not null
       and exists (select from waybill.lease l where l.relay = q.relay and l.lease_until <= clock_timestamp())
    returning q.* into ended;
    if not found then
        return false;
    end if;
    delete from waybill.parked where relay = of_relay and state in ('due', 'waiting');
    perform waybill.note_audit('replay-cancelled', of_relay,
        'sent ' || ended.sent || ', not sent ' || ended.not_sent || ', dead '
            || (select count(*) from waybill.parked p where p.relay = of_relay and p.state = 'dead'), by_said, by_why, true);
    return true;
end $$;

-- ---- hidden columns

-- The length of a payload, for roles that may not read it.
create function waybill.payload_length(of_event uuid) returns integer
    language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select coalesce(octet_length(payload::text), octet_length(payload_bytes)) from waybill.event where id = of_event
$$;

-- Whether the filter of a replay matches an event (JournalSql.REPLAY_MATCHES).
create function waybill.replay_means(of_relay text, of_seq bigint) returns boolean
    language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select exists (select from waybill.replay q join waybill.event e on e.seq = of_seq
                    where q.relay = of_relay
                      and e.created_at >= q.created_from and e.created_at < q.created_until
                      and (q.type is null or e.type = q.type)
                      and (q.aggregate_type is null or e.aggregate_type = q.aggregate_type)
                      and (q.aggregate_id is null or e.aggregate_id = q.aggregate_id))
$$;

-- Reads the oldest events since the last adoption; roles without access to whole rows may not read xmin. A row written in a
-- subtransaction has another xid than its transaction; but a restore writes all rows in one transaction.
create function waybill.own_xids(out transactions bigint, out writers bigint, out with_own_xid bigint)
    language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select count(distinct e.xid::text), count(distinct e.xmin::text),
           count(*) filter (where e.xmin::text::bigint = ((e.xid::text::bigint - o.value) & 4294967295))
      from waybill.xid_offset o cross join lateral (
        select e.xmin, e.xid from waybill.event e where e.xid > (o.value + o.adopted_xid)::text::xid8
         order by e.xid, e.seq limit 1000) e
$$;

-- Showing a payload takes two transactions. The first writes the audit entry; only once that is committed does the second return
-- the payload, so a rollback reveals nothing.
create function waybill.ask_payload(of_event uuid, by_said text, by_why text) returns bigint
    language sql security definer set search_path = pg_catalog, pg_temp as $$
    select waybill.note_audit('payload', '', of_event::text, by_said, by_why, true)
     where exists (select from waybill.event where id = of_event)
$$;

create function waybill.payload(asked bigint, out payload json, out payload_bytes bytea, out content_type text)
    language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    of_event text;
begin
    select a.details into of_event from waybill.audit a
     where a.id = asked and a.action = 'payload' and a.allowed and a.who = session_user
       and a.xid <> pg_current_xact_id() and a.at > clock_timestamp() - interval '1 minute';
    select e.payload, e.payload_bytes, e.content_type into payload, payload_bytes, content_type
      from waybill.event e where e.id = of_event::uuid;
end $$;

revoke all on all functions in schema waybill from public;
