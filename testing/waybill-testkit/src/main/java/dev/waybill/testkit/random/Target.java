package dev.waybill.testkit.random;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Where the writers of a run append. */
public interface Target {
    void create(Connection connection) throws SQLException;

    /** Appends the n-th event of a key. */
    UUID append(Connection transaction, String key, long n) throws SQLException;

    /** id, key, n, xid and seq of every row. */
    String committed();

    /** The committed events, as stored in the database. */
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
}
