package dev.waybill.jdbc;

import dev.waybill.admin.ParkedState;
import java.util.Locale;

/** The statements of {@link JournalMending}. */
final class PostgresMendingSql {
    private PostgresMendingSql() {}

    /** Whoever changes parked events of a relay holds this lock, as the relay does when it saves. */
    static final String LOCK_RELAY = "select from waybill.relay where name = ? for update";

    static final String BY_ID = """
            select p.seq, p.state, p.holds from waybill.event e join waybill.parked p on p.seq = e.seq and p.relay = ?
             where e.id = any (?)""";

    /** The state is written out, so that the dead are read along their own index. */
    static String matching(ParkedState state) {
        return """
            select p.seq, p.state, p.holds, e.id is not null and %s and position(? in coalesce(p.error, '')) > 0
              from (select * from waybill.parked p
                     where p.relay = ? and p.state = '%s' and p.seq > ? order by p.seq limit ?) p
              left join waybill.event e on e.seq = p.seq order by p.seq""".formatted(PostgresListingSql.MATCHES, state.name().toLowerCase(Locale.ROOT));
    }

    static final String REQUEUE = """
            update waybill.parked p set state = 'due', holds = false, attempts = 0, next_attempt_at = '-infinity'
             where p.relay = ? and p.seq = any (?) and p.state <> 'waiting' returning p.key""";

    static final String DISCARD = """
            with gone as (
                delete from waybill.parked p where p.relay = ? and p.seq = any (?)
                returning p.relay, p.seq, p.key, p.attempts, p.error),
            noted as (
                insert into waybill.discarded (relay, seq, attempts, note)
                select g.relay, g.seq, g.attempts, ? || coalesce('; before: ' || g.error, '') from gone g
                on conflict (seq, relay) do nothing)
            select key from gone""";
}
