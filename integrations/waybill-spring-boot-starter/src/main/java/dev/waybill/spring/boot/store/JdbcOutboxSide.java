package dev.waybill.spring.boot.store;

import dev.waybill.RelayDefaults;
import dev.waybill.jdbc.JdbcOutbox;
import dev.waybill.jdbc.OutboxOptions;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spring.boot.properties.StoreType;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;

/** The journal, or an outbox table, in the application's database. */
public final class JdbcOutboxSide implements OutboxSide {
    /** What creates missing tables; a part of a sentence. */
    public static final String MIGRATION =
            "a migration (Flyway: a new class that extends WaybillMigration; Liquibase: include"
                    + " dev/waybill/spring/liquibase/waybill.yaml)";

    private final String store;
    private final DataSource dataSource;
    private final Optional<TableLayout> layout;
    private final JdbcSchema schema;

    /**
     * @param layout of the table; empty for the journal
     */
    JdbcOutboxSide(String store, DataSource dataSource, Optional<TableLayout> layout, JdbcSchema schema) {
        this.store = store;
        this.dataSource = dataSource;
        this.layout = layout;
        this.schema = schema;
    }

    /** The application's own data source: events are appended in transactions that are bound to it. */
    public DataSource dataSource() {
        return dataSource;
    }

    /** The layout of the table; empty for the journal. */
    public Optional<TableLayout> layout() {
        return layout;
    }

    public JdbcOutbox appending(OutboxOptions options) {
        return layout.map(table -> JdbcOutbox.table(table, options)).orElseGet(() -> JdbcOutbox.journal(options));
    }

    @Override
    public StoreType type() {
        return layout.isPresent() ? StoreType.TABLE : StoreType.POSTGRES_JOURNAL;
    }

    @Override
    public RelayDefaults relayDefaults() {
        return layout.map(TableLayout::relayDefaults).orElseGet(RelayDefaults::standard);
    }

    @Override
    public String what() {
        return schema.what();
    }

    @Override
    public boolean isSame(OutboxSide other) {
        if (!(other instanceof JdbcOutboxSide jdbc && BoundConnection.isSame(jdbc.dataSource, dataSource))) {
            return false;
        }
        return layout.isPresent() && jdbc.layout.isPresent()
                ? isSameTable(layout.get(), jdbc.layout.get())
                : layout.isEmpty() && jdbc.layout.isEmpty();
    }

    private boolean isSameTable(TableLayout one, TableLayout another) {
        if (!one.table().equalsIgnoreCase(another.table())) {
            return false;
        }
        try (Connection connection = dataSource.getConnection()) {
            return new SameTable(connection).isOf(one, another);
        } catch (SQLException e) {
            throw new UnusableStoreException(
                    "Store " + store + " (" + what() + ") cannot tell whether the table of another store, "
                            + another.tableName() + ", is the same: " + e.getMessage(),
                    "Make the database available, or give the tables different names.",
                    e);
        }
    }

    @Override
    public boolean isRouted() {
        return BoundConnection.isRouted(dataSource);
    }

    @Override
    public void createSchema() {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(true); // a pool may hand it out without
            schema.create(connection);
        } catch (SQLException | IllegalArgumentException e) {
            throw new UnusableStoreException(
                    "Could not create the tables of store " + store + " (" + what() + "): " + e.getMessage(),
                    "Give the role the privilege to create them, or create them with a migration and set waybill.stores."
                            + store + ".schema=validate.",
                    e);
        }
    }

    @Override
    public void validateSchema() {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(true);
            schema.validate(connection);
        } catch (SQLException | IllegalArgumentException e) {
            throw new UnusableStoreException(
                    "The tables of store " + store + " (" + what() + ") cannot be used: " + e.getMessage(),
                    "Create them with " + MIGRATION + ", or set waybill.stores." + store
                            + ".schema=create, or none to check nothing.",
                    e);
        }
    }
}
