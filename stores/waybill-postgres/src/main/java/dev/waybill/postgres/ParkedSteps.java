package dev.waybill.postgres;

import dev.waybill.admin.ParkedState;
import dev.waybill.admin.Selection;
import dev.waybill.jdbc.kernel.UuidForm;
import dev.waybill.spi.RelayName;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Goes through the parked events that a person means, oldest first, so many at a time, none twice. */
final class ParkedSteps {
    /** The state is written out, because each has an index of its own. */
    private static String matching(ParkedState state) {
        return """
            select p.seq, p.state, p.holds, e.id is not null and %s and position(? in coalesce(p.error, '')) > 0
              from (select * from waybill.parked p
                     where p.relay = ? and %s and p.seq > ? order by p.seq limit ?) p
              left join lateral (select %s from waybill.event e where e.seq = p.seq limit 1) e on true
             order by p.seq""".formatted(PostgresListingSql.MATCHES, PostgresAdminSql.isIn(state), PostgresListingSql.COLUMNS);
    }

    private static final String BY_ID = """
            select p.seq, p.state, p.holds from unnest(?::uuid[]) i(id)
             cross join lateral (select e.seq from waybill.event e where e.id = i.id limit 1) e
             cross join lateral (select p.seq, p.state, p.holds from waybill.parked p
                                  where p.relay = ? and p.seq = e.seq limit 1) p""";

    private final JournalConnection connection;
    private final RelayName relay;
    private final Selection selection;
    private final int step;
    private long done;
    private boolean through;

    /** One that is meant. */
    record Picked(long seq, ParkedState state, boolean holds) {
        boolean requeueable() {
            return state != ParkedState.WAITING;
        }

        boolean wouldBeLate() {
            return state == ParkedState.DEAD && !holds;
        }
    }

    ParkedSteps(JournalConnection connection, RelayName relay, Selection selection, int step) {
        this.connection = connection;
        this.relay = relay;
        this.selection = selection;
        this.step = step;
    }

    /** Whether {@link #next} has given all. */
    boolean through() {
        return through;
    }

    List<Picked> next() throws SQLException {
        return selection instanceof Selection.Matching matching
                ? matching(matching)
                : byId(((Selection.Ids) selection).ids());
    }

    private List<Picked> byId(List<String> ids) throws SQLException {
        int from = (int) done;
        done = Math.min(ids.size(), done + step);
        through = done == ids.size();
        PreparedStatement statement = connection.prepare(BY_ID);
        Object[] uuids = ids.subList(from, (int) done).stream()
                .flatMap(id -> UuidForm.parse(id).stream())
                .toArray();
        statement.setArray(1, connection.array("uuid", uuids));
        statement.setString(2, relay.value());
        List<Picked> picked = new ArrayList<>();
        try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                picked.add(picked(row));
            }
        }
        return picked;
    }

    private List<Picked> matching(Selection.Matching matching) throws SQLException {
        PreparedStatement statement =
                connection.prepare(PostgresListingSql.asked(matching(matching.state()), matching.filter()));
        int at = FilterValues.bind(statement, 1, matching.filter());
        statement.setString(at, matching.error().orElse(""));
        statement.setString(at + 1, relay.value());
        statement.setLong(at + 2, done);
        statement.setInt(at + 3, step);
        List<Picked> picked = new ArrayList<>();
        int seen = 0;
        try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                seen++;
                done = row.getLong(1);
                if (row.getBoolean(4)) {
                    picked.add(picked(row));
                }
            }
        }
        through = seen < step;
        return picked;
    }

    private static Picked picked(ResultSet row) throws SQLException {
        return new Picked(
                row.getLong(1), ParkedState.valueOf(row.getString(2).toUpperCase(Locale.ROOT)), row.getBoolean(3));
    }
}
