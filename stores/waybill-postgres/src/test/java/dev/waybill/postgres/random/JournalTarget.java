package dev.waybill.postgres.random;

import dev.waybill.postgres.JournalSchema;
import dev.waybill.testkit.random.Target;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;

/** The journal, appended to with plain SQL. */
final class JournalTarget implements Target {
    private static final String APPEND = """
            insert into waybill.event (type, aggregate_type, aggregate_id, payload)
            values ('Counted', 'counter', ?, ?::json) returning id""";

    @Override
    public void create(Connection connection) throws SQLException {
        JournalSchema.create(connection);
    }

    @Override
    public UUID append(Connection transaction, String key, long n) throws SQLException {
        try (PreparedStatement append = transaction.prepareStatement(APPEND)) {
            append.setString(1, key);
            append.setString(2, "{\"n\":" + n + "}");
            try (ResultSet id = append.executeQuery()) {
                id.next();
                return id.getObject(1, UUID.class);
            }
        }
    }

    @Override
    public String committed() {
        return "select id, aggregate_id, (payload->>'n')::bigint, xid::text, seq from waybill.event";
    }
}
