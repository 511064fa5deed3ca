package dev.waybill.jdbc;

import dev.waybill.admin.PurgeStep;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Deletes published rows that are old enough, a step at a time; never one that is pending, waits or is dead. */
final class TableRetention {
    private final TableConnection connection;

    TableRetention(TableConnection connection) {
        this.connection = connection;
    }

    /** The age of a row counts from its publishing; of one that was given up, from its creation. */
    PurgeStep step(Duration olderThan, int atMost) throws SQLException {
        Object before = connection.times().bind(connection.clock().minus(olderThan));
        PreparedStatement statement = connection.prepare(TableAdminSql.OVER);
        statement.setObject(1, before);
        statement.setObject(2, before);
        statement.setInt(3, atMost);
        List<String> over = new ArrayList<>();
        try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                over.add(row.getString(1));
            }
        }
        AtomicInteger deleted = new AtomicInteger();
        connection.forList(
                TableAdminSql.DELETE,
                connection.ids(over),
                1,
                (delete, listAt) -> deleted.addAndGet(delete.executeUpdate()));
        return new PurgeStep(deleted.get(), over.size() == atMost);
    }
}
