package dev.waybill.postgres.admin;

import dev.waybill.RelayName;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.SelectedEvent;
import dev.waybill.admin.Selection;
import dev.waybill.jdbc.kernel.UuidForm;
import dev.waybill.postgres.journal.JournalConnection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads the parked events of a selection in steps, by seq. */
final class ParkedSteps {
    /** As in waybill.requeue: an event that never failed and is due at once only follows others of its key. */
    private static final String REQUEUEABLE =
            "p.state <> 'waiting' and (p.next_attempt_at = '-infinity' and p.error is null) is not true";

    private static final String BY_ID = """
            select p.seq, p.state, p.holds, %s, i.id::text from unnest(?::uuid[]) i(id)
             cross join lateral (select e.seq from waybill.event e where e.id = i.id limit 1) e
             cross join lateral (select * from waybill.parked p
                                  where p.relay = ? and p.seq = e.seq limit 1) p""".formatted(REQUEUEABLE);

    private final JournalConnection connection;
    private final RelayName relay;
    private final Selection selection;
    private final int step;
    private long done;
    private boolean complete;

    record Parked(long seq, ParkedState state, boolean holds, boolean requeueable, String id) {
        SelectedEvent selected() {
            return new SelectedEvent(id, state);
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

    /** Whether {@link #next} has returned everything. */
    boolean isComplete() {
        return complete;
    }

    List<Parked> next() throws SQLException {
        return selection instanceof Selection.Matching matching
                ? matching(matching)
                : byId(((Selection.Ids) selection).ids());
    }

    private static String matching(ParkedState state) {
        return """
            select p.seq, p.state, p.holds, %s, e.id::text, e.id is not null and %s and position(? in coalesce(p.error, '')) > 0
              from (select * from waybill.parked p
                     where p.relay = ? and %s and p.seq > ? order by p.seq limit ?) p
              left join lateral (select %s from waybill.event e where e.seq = p.seq limit 1) e on true
             order by p.seq""".formatted(REQUEUEABLE, FilterSql.MATCHES, isIn(state), FilterSql.COLUMNS);
    }

    /** The condition of that state's index. */
    static String isIn(ParkedState state) {
        return switch (state) {
            case DEAD -> "p.state = 'dead'";
            case DUE -> "lower(p.state) = 'due'";
            case WAITING -> "lower(p.state) = 'waiting'";
        };
    }

    private List<Parked> byId(List<String> ids) throws SQLException {
        int from = (int) done;
        done = Math.min(ids.size(), done + step);
        complete = done == ids.size();
        Object[] uuids = ids.subList(from, (int) done).stream()
                .flatMap(id -> UuidForm.parse(id).stream())
                .toArray();
        return connection.query(BY_ID, ParkedSteps::parked, connection.array("uuid", uuids), relay.value()).stream()
                .filter(parked ->
                        selection.requiredState().map(parked.state::equals).orElse(true))
                .toList();
    }

    private List<Parked> matching(Selection.Matching matching) throws SQLException {
        List<@Nullable Object> arguments = FilterSql.values(matching.filter());
        arguments.addAll(List.of(matching.error().orElse(""), relay.value(), done, step));
        List<Parked> found = new ArrayList<>();
        List<Long> seen = connection.query(
                FilterSql.withoutUnused(matching(matching.state()), matching.filter()),
                row -> {
                    if (row.getBoolean(6)) {
                        found.add(parked(row));
                    }
                    return row.getLong(1);
                },
                arguments.toArray());
        done = seen.isEmpty() ? done : seen.get(seen.size() - 1);
        complete = seen.size() < step;
        return found;
    }

    private static Parked parked(ResultSet row) throws SQLException {
        return new Parked(
                row.getLong(1),
                ParkedState.valueOf(row.getString(2).toUpperCase(Locale.ROOT)),
                row.getBoolean(3),
                row.getBoolean(4),
                row.getString(5));
    }
}
