package dev.waybill.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;

/** The databases that an outbox table can be on. Their statements stand in one file each. */
public enum TableDialect {
    POSTGRESQL,
    /** And MySQL. */
    MARIADB,
    H2;

    LayoutSql sql() {
        return switch (this) {
            case POSTGRESQL -> PostgresLayoutSql.INSTANCE;
            case MARIADB -> MariaDbLayoutSql.INSTANCE;
            case H2 -> H2LayoutSql.INSTANCE;
        };
    }

    /** The database at the other end. */
    static TableDialect of(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        return switch (product.toLowerCase(Locale.ROOT)) {
            case "postgresql" -> POSTGRESQL;
            case "mariadb", "mysql" -> MARIADB;
            case "h2" -> H2;
            default ->
                throw new SQLException("An outbox table can be on PostgreSQL, MariaDB, MySQL or H2, and this is "
                        + product + ": use one of those.");
        };
    }

    /** The name as part of a statement, whatever is in it. */
    String quote(String name) {
        return switch (this) {
            case POSTGRESQL -> SqlIdentifier.quote(name);
            case MARIADB -> SqlIdentifier.quoteForMariaDb(name);
            case H2 -> SqlIdentifier.quoteForH2(name);
        };
    }
}
