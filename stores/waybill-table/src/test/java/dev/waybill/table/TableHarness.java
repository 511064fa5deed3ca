package dev.waybill.table;

import dev.waybill.Event;
import dev.waybill.RelayName;
import dev.waybill.admin.ReplayAdmin;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.jdbc.JdbcOutbox;
import dev.waybill.jdbc.layout.LayoutNames;
import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.EventStore;
import dev.waybill.tck.ManualClock;
import dev.waybill.tck.ReplayHarness;
import dev.waybill.tck.StoredField;
import dev.waybill.tck.faults.FaultInjection;
import dev.waybill.testkit.JdbcFaults;
import dev.waybill.testkit.JdbcTx;
import dev.waybill.testkit.ServerErrors;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** An empty outbox table of some layout on some database. */
final class TableHarness implements ReplayHarness {
    private final LayoutDatabase database;
    private final TableLayout layout;
    private final ManualClock clock = new ManualClock();
    private final TableStore store;
    private final boolean ordered;
    private final JdbcOutbox outbox;
    private final JdbcFaults faults;
    private final Optional<Users> users;

    TableHarness(LayoutDatabase database, TableLayout layout) {
        this(database, layout, TableOptions.defaults());
    }

    TableHarness(LayoutDatabase database, TableLayout layout, TableOptions options) {
        this(database, layout, options, Optional.empty());
    }

    /** Applications, relays and operators are users of their own. */
    TableHarness(LayoutDatabase database, TableLayout layout, Users users) {
        this(database, layout, TableOptions.defaults(), Optional.of(users));
    }

    private TableHarness(
            LayoutDatabase database, TableLayout layout, TableOptions options, Optional<Users> users) {
        this.database = database;
        this.layout = layout;
        this.users = users;
        this.faults = new JdbcFaults(database.kept(), ServerErrors.of(database.kind()));
        this.store =
                TableStore.on(users.map(Users::relay).orElse(faults.dataSource()), layout, options.clock(clock));
        this.ordered = options.claiming() == TableOptions.Claiming.ORDERED;
        this.outbox = JdbcOutbox.table(layout);
        empty();
    }

    private void empty() {
        execute(
                "delete from {table}",
                "delete from {claim}",
                "delete from {relay}",
                "delete from {audit}",
                "delete from {replay}");
    }

    private void execute(String... statements) {
        LayoutNames names = new LayoutNames(layout, database.dialect());
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(names.in(sql));
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public EventStore store() {
        return store;
    }

    @Override
    public StoreAdmin admin() {
        return users.map(user -> user.admin(layout)).orElse(store.admin());
    }

    @Override
    public ReplayAdmin replays() {
        return users.map(user -> user.replays(layout, store)).orElse(store.replays());
    }

    @Override
    public boolean ordered() {
        return ordered;
    }

    @Override
    public boolean severalRelays() {
        return false;
    }

    @Override
    public Tx begin() {
        try {
            Connection connection =
                    users.map(Users::producer).orElse(faults.dataSource()).getConnection();
            connection.setAutoCommit(false);
            if (database.dialect() == TableDialect.MARIADB) {
                connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            }
            return new JdbcTx(connection, outbox);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public ManualClock clock() {
        return clock;
    }

    @Override
    public Set<StoredField> keeps() {
        Set<StoredField> kept = EnumSet.noneOf(StoredField.class);
        add(kept, StoredField.VERSION, layout.has(TableColumn.VERSION));
        add(kept, StoredField.AGGREGATE_TYPE, layout.has(TableColumn.AGGREGATE_TYPE));
        add(kept, StoredField.AGGREGATE_VERSION, layout.has(TableColumn.AGGREGATE_VERSION));
        add(kept, StoredField.TOPIC, layout.has(TableColumn.TOPIC));
        add(kept, StoredField.KEY, layout.has(TableColumn.KEY));
        add(kept, StoredField.HEADERS, layout.has(TableColumn.HEADERS));
        add(kept, StoredField.BINARY_PAYLOAD, layout.has(TableColumn.PAYLOAD_BYTES));
        add(kept, StoredField.TEXT_AGGREGATE_ID, layout.aggregateIdKind() == TableLayout.IdKind.TEXT);
        add(
                kept,
                StoredField.LONGEST_TEXTS,
                layout.length(TableColumn.TYPE).orElse(0) >= Event.MAX_NAME_LENGTH && layout.has(TableColumn.KEY));
        boolean reprinted = layout.payloadKind() == TableLayout.PayloadKind.JSONB
                || (layout.payloadKind() == TableLayout.PayloadKind.JSON && database.dialect() == TableDialect.H2);
        add(kept, StoredField.EXACT_JSON, !reprinted);
        add(kept, StoredField.CREATED_AT, layout.has(TableColumn.CREATED_AT));
        add(kept, StoredField.FINISHED_EVENTS, !layout.deletesPublished());
        return kept;
    }

    private static void add(Set<StoredField> kept, StoredField field, boolean has) {
        if (has) {
            kept.add(field);
        }
    }

    @Override
    public String aggregateId(String name) {
        return switch (layout.aggregateIdKind()) {
            case TEXT -> name;
            case UUID ->
                UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString();
            case NUMBER -> Integer.toUnsignedString(name.hashCode());
        };
    }

    @Override
    public Optional<FaultInjection> faults() {
        return users.isPresent() ? Optional.empty() : Optional.of(faults);
    }

    @Override
    public void expireLease(RelayName relay) {
        execute(
                "update {relay} set lease_until = 1 where name = '" + relay + "'",
                "update {claim} set lease_until = 1 where lease_until is not null");
    }

    @Override
    public Optional<ForeignWorker> foreignWorker() {
        return Optional.empty();
    }

    @Override
    public void close() {}
}
