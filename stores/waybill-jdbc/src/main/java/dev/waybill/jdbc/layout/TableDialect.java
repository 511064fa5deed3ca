package dev.waybill.jdbc.layout;

import dev.waybill.jdbc.kernel.SqlIdentifier;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Locale;

/** The databases that an outbox table can be on. Their statements stand in one file each. */
public enum TableDialect {
    POSTGRESQL,
    MARIADB,
    H2;

    public LayoutSql sql() {
        return switch (this) {
            case POSTGRESQL -> PostgresLayoutSql.INSTANCE;
            case MARIADB -> MariaDbLayoutSql.INSTANCE;
            case H2 -> H2LayoutSql.INSTANCE;
        };
    }

    /** The database at the other end. */
    public static TableDialect of(Connection connection) throws SQLException {
        DatabaseMetaData server = connection.getMetaData();
        String product = server.getDatabaseProductName();
        // MySQL's driver calls a MariaDB by its own name; the version tells them apart.
        boolean isMariaDb =
                server.getDatabaseProductVersion().toLowerCase(Locale.ROOT).contains("mariadb");
        return switch (isMariaDb ? "mariadb" : product.toLowerCase(Locale.ROOT)) {
            case "postgresql" -> POSTGRESQL;
            case "mariadb" -> MARIADB;
            case "h2" -> H2;
            case "mysql" ->
                throw new SQLException("This is MySQL, which Waybill does not support: its statements are written for"
                        + " MariaDB and were never run on MySQL. Use MariaDB, PostgreSQL or H2.");
            default ->
                throw new SQLException("Waybill's tables can be on PostgreSQL, MariaDB or H2, and this is " + product
                        + ": use one of those.");
        };
    }

    /** The name as part of a statement, whatever is in it. */
    public String quote(String name) {
        return switch (this) {
            case POSTGRESQL -> SqlIdentifier.quote(name);
            case MARIADB -> SqlIdentifier.quoteForMariaDb(name);
            case H2 -> SqlIdentifier.quoteForH2(name);
        };
    }
}
