package dev.waybill.postgres.random;

import dev.waybill.testkit.random.ReadEvent;
import dev.waybill.testkit.random.Reader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.UUID;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** A reader with one query, which keeps its position in memory. */
abstract class SqlReader implements Reader {
    private final DataSource dataSource;
    private Connection connection;

    SqlReader(DataSource dataSource) throws SQLException {
        this.dataSource = dataSource;
        this.connection = dataSource.getConnection();
    }

    /** A row that was read. */
    record Row(ReadEvent event, String xid, long seq) {}

    /** @param parameters strings, numbers, or types in text form such as a snapshot */
    final boolean readRows(String where, Consumer<Row> sink, Object... parameters) throws SQLException {
        boolean some = false;
        try (PreparedStatement query = connection.prepareStatement(
                "select id, aggregate_id, (payload->>'n')::bigint, xid::text as xid_text, seq from waybill.event where "
                        + where)) {
            for (int i = 0; i < parameters.length; i++) {
                query.setObject(i + 1, parameters[i], Types.OTHER);
            }
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    some = true;
                    ReadEvent event = new ReadEvent(row.getObject(1, UUID.class), row.getString(2), row.getLong(3));
                    sink.accept(new Row(event, row.getString(4), row.getLong(5)));
                }
            }
        }
        return some;
    }

    final String currentSnapshot() throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("select pg_current_snapshot()::text");
                ResultSet row = query.executeQuery()) {
            row.next();
            return row.getString(1);
        }
    }

    @Override
    public void crashed() throws SQLException {
        connection = dataSource.getConnection();
    }

    @Override
    public final void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
