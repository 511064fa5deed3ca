package dev.waybill.example.kit;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** Statements of a driver: to prepare a database, and to count what is in it. */
public final class Sql {
    private final DataSource database;

    public Sql(DataSource database) {
        this.database = database;
    }

    public void execute(String statement) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement execute = connection.createStatement()) {
            execute.execute(statement);
        }
    }

    /** The only number of the only row. */
    public long number(String select) throws SQLException {
        return Long.parseLong(texts(select).get(0));
    }

    /** The first column, as texts; a null is shown as such. */
    public List<String> texts(String select) throws SQLException {
        List<String> values = new ArrayList<>();
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(select)) {
            while (row.next()) {
                values.add(String.valueOf(row.getString(1)));
            }
        }
        return values;
    }
}
