package dev.waybill.spring.boot.store;

import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.postgres.JournalOptions;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.postgres.WaitFor;
import dev.waybill.spring.boot.properties.StoreProperties;
import dev.waybill.spring.boot.properties.StoreType;
import dev.waybill.spring.boot.store.WaybillStore.RelaySide;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;

/** Makes stores on a data source. */
final class JdbcStoreOpening {
    private final String store;
    private final StoreProperties properties;
    private final DataSource dataSource;

    JdbcStoreOpening(String store, StoreProperties properties, DataSource dataSource) {
        this.store = store;
        this.properties = properties;
        this.dataSource = dataSource;
    }

    WaybillStore open() {
        Optional<TableLayout> layout =
                isJournal() ? Optional.empty() : Optional.of(ConfiguredLayout.of(properties.layout()));
        JdbcSchema schema = layout.<JdbcSchema>map(
                        table -> new JdbcSchema.Table(table, Optional.ofNullable(properties.guard())))
                .orElseGet(JdbcSchema.Journal::new);
        return new WaybillStore(
                store,
                properties,
                new JdbcOutboxSide(store, dataSource, layout, schema),
                () -> layout.map(table -> TableRelaySide.open(store, properties, table, dataSource))
                        .orElseGet(this::journal));
    }

    private boolean isJournal() {
        if (properties.type() != null) {
            return properties.type() == StoreType.POSTGRES_JOURNAL;
        }
        return properties.layout() == null && dialect() == TableDialect.POSTGRESQL;
    }

    private TableDialect dialect() {
        try (Connection connection = dataSource.getConnection()) {
            return TableDialect.of(connection);
        } catch (SQLException e) {
            throw new IllegalStateException(
                    "Store " + store + " cannot tell which database it is on: " + e.getMessage()
                            + " Make the database available, or set waybill.stores." + store + ".type.",
                    e);
        }
    }

    private RelaySide journal() {
        JournalOptions anywhere = JournalOptions.defaults()
                .saveEvery(properties.save().events())
                .saveWithin(properties.save().within())
                .start(properties.start())
                .waitFor(new WaitFor(properties.waitFor(), properties.standbys()));
        JournalOptions options = Optional.ofNullable(properties.environment())
                .map(anywhere::environment)
                .orElse(anywhere);
        PostgresJournal journal = PostgresJournal.on(RelayConnections.of(store, properties, dataSource), options);
        return new RelaySide(journal, journal.admin(), Optional.of(journal.replays()), () -> {});
    }
}
