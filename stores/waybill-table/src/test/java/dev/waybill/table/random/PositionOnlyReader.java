package dev.waybill.table.random;

import dev.waybill.testkit.random.ReadEvent;
import dev.waybill.testkit.random.Reader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** A broken reader: marks rows correctly, but continues from its position without looking back. */
final class PositionOnlyReader implements Reader {
    private final Connection connection;
    private long last;

    PositionOnlyReader(DataSource dataSource) throws SQLException {
        this.connection = dataSource.getConnection();
    }

    @Override
    public boolean readSome(Consumer<ReadEvent> sink) throws SQLException {
        List<String> ids = new ArrayList<>();
        try (PreparedStatement read = connection.prepareStatement("""
                select id, aggregate_id, payload, seq from waybill_event
                 where status = 'PENDING' and seq > ? order by seq limit 500""")) {
            read.setLong(1, last);
            try (ResultSet row = read.executeQuery()) {
                while (row.next()) {
                    ids.add(row.getString(1));
                    sink.accept(new ReadEvent(
                            UUID.fromString(row.getString(1)), row.getString(2), number(row.getString(3))));
                    last = row.getLong(4);
                }
            }
        }
        try (PreparedStatement mark =
                connection.prepareStatement("update waybill_event set status = 'PUBLISHED' where id = ?")) {
            for (String id : ids) {
                mark.setString(1, id);
                mark.executeUpdate();
            }
        }
        return !ids.isEmpty();
    }

    private static long number(String payload) {
        return Long.parseLong(payload.replaceAll("[^0-9]", ""));
    }

    @Override
    public void crashed() {
        throw new IllegalStateException("The server of this test does not crash.");
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
