package dev.waybill.spring.boot.store;

import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;

/** Tells whether two layouts are of one table. The database knows its default schema, and how it stores names. */
final class SameTable {
    private final Connection connection;
    private final TableDialect dialect;

    SameTable(Connection connection) throws SQLException {
        this.connection = connection;
        this.dialect = TableDialect.of(connection);
    }

    boolean isOf(TableLayout one, TableLayout other) throws SQLException {
        return stored(one.table()).equals(stored(other.table())) && schema(one).equals(schema(other));
    }

    private Optional<String> schema(TableLayout layout) throws SQLException {
        if (layout.schema().isPresent()) {
            return Optional.of(stored(layout.schema().get()));
        }
        return Optional.ofNullable(dialect == TableDialect.MARIADB ? connection.getCatalog() : connection.getSchema());
    }

    /** A name that statements have without quotes is stored in the database's own case. */
    private String stored(String name) throws SQLException {
        boolean folded =
                dialect.quote(name).equals(name) && connection.getMetaData().storesUpperCaseIdentifiers();
        return folded ? name.toUpperCase(Locale.ROOT) : name;
    }
}
