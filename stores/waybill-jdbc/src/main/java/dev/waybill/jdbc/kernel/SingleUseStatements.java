package dev.waybill.jdbc.kernel;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Statements that are closed after their use. */
record SingleUseStatements(Connection connection) implements Statements {
    @Override
    public PreparedStatement prepare(String text) throws SQLException {
        return connection.prepareStatement(text);
    }

    @Override
    public void release(PreparedStatement statement) throws SQLException {
        statement.close();
    }
}
