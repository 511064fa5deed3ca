package dev.waybill.table.random;

import dev.waybill.AppendException;
import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.jdbc.JdbcOutbox;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.table.TableSchema;
import dev.waybill.testkit.random.Target;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;

/**
 * An outbox table that is appended to with {@code JdbcOutbox}.
 *
 * @param columns id, key, payload and the ordering column of the layout
 */
record TableTarget(TableLayout layout, String columns) implements Target {
    /** Ordered by a sequence. */
    static final TableTarget NUMBERED =
            new TableTarget(TableLayout.waybill(), "id, aggregate_id, (payload::json->>'n')::bigint, xmin::text, seq");

    /** Ordered by the time of the append. */
    static final TableTarget DATED = new TableTarget(
            TableLayout.pubsub(),
            "id, aggregate_id, (payload_json->>'n')::bigint, xmin::text, (extract(epoch from created_at) * 1000000)::bigint");

    @Override
    public void create(Connection connection) throws SQLException {
        TableSchema.create(connection, layout);
    }

    @Override
    public UUID append(Connection transaction, String key, long n) throws SQLException {
        Event event = Event.of("Counted").aggregate("counter", key).payload(Payload.json("{\"n\":" + n + "}"));
        try {
            JdbcOutbox.table(layout).append(transaction, event);
        } catch (AppendException e) {
            if (e.getCause() instanceof SQLException conflict) {
                throw conflict;
            }
            throw e;
        }
        return UUID.fromString(event.id());
    }

    @Override
    public String committed() {
        return "select " + columns + " from " + layout.tableName();
    }
}
