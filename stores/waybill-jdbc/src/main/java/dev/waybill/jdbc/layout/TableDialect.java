package dev.waybill.jdbc.layout;

import dev.waybill.jdbc.kernel.SqlIdentifier;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Locale;

/** The supported databases of outbox tables. */
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

    /** Determines the dialect from the database's name. */
    public static TableDialect of(Connection connection) throws SQLException {
        DatabaseMetaData server = connection.getMetaData();
        String product = server.getDatabaseProductName();
        // MySQL's driver reports MariaDB as MySQL; the version distinguishes them.
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
                throw new SQLException(
                        "Waybill supports PostgreSQL, MariaDB and H2, but this is " + product + ": use one of them.");
        };
    }

    /** The quoted name for a statement. */
    public String quote(String name) {
        return switch (this) {
            case POSTGRESQL -> SqlIdentifier.quote(name);
            case MARIADB -> SqlIdentifier.quoteForMariaDb(name);
            case H2 -> SqlIdentifier.quoteForH2(name);
        };
    }
}
