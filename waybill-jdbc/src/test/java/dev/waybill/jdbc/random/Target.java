package dev.waybill.jdbc.random;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Where the writers of a run append. */
interface Target {
    void create(Connection connection) throws SQLException;

    /** Appends the n-th event of a key. */
    UUID append(Connection transaction, String key, long n) throws SQLException;

    /** id, key, n, xid and seq of every row. */
    String committed();

    /** What really happened. */
    default List<Judge.Committed> committed(Connection connection) throws SQLException {
        List<Judge.Committed> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(committed())) {
            while (row.next()) {
                ReadEvent event = new ReadEvent(UUID.fromString(row.getString(1)), row.getString(2), row.getLong(3));
                rows.add(new Judge.Committed(event, row.getString(4), row.getLong(5)));
            }
        }
        return rows;
    }

    /** The journal, appended to with SQL as any language does. */
    Target JOURNAL = new Target() {
        private static final String APPEND = """
                insert into waybill.event (type, aggregate_type, aggregate_id, payload)
                values ('Counted', 'counter', ?, ?::json) returning id""";

        @Override
        public void create(Connection connection) throws SQLException {
            dev.waybill.jdbc.JournalSchema.create(connection);
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
    };
}
