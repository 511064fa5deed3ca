package dev.waybill.jdbc.kernel;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * The encoding in which a PostgreSQL database stores text. Other encodings than UTF8 are converted. SQL_ASCII is none: the server
 * stores any bytes, and refuses to return those that are not UTF-8.
 */
public final class PostgresEncoding {
    public static final String OF_DATABASE = "current_setting('server_encoding')";

    /** As the continuation of a sentence about the database. */
    public static final String PROBLEM =
            "its encoding is SQL_ASCII, so rows may have bytes that are not UTF-8, which the server refuses to return";

    public static final String REMEDY = "Create another database with `create database NAME template template0 encoding"
            + " 'UTF8'`, and move the tables there with pg_dump --encoding=UTF8 and psql.";

    private PostgresEncoding() {}

    /**
     * @param what the database is to hold
     * @throws SQLException if its encoding is none
     */
    public static void require(Connection connection, String what) throws SQLException {
        if (isNone(connection)) {
            throw new SQLException(
                    "This database cannot hold " + what + ": " + PROBLEM + ". " + REMEDY + " Nothing was changed.");
        }
    }

    public static boolean isNone(Connection connection) throws SQLException {
        String encoding = Statements.on(connection).one("select " + OF_DATABASE, row -> row.getString(1));
        return isNone(encoding);
    }

    /** @param encoding the value of {@link #OF_DATABASE} */
    public static boolean isNone(String encoding) {
        return encoding.equals("SQL_ASCII");
    }
}
