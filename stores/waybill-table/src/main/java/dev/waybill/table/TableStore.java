package dev.waybill.table;

import dev.waybill.RelayName;
import dev.waybill.admin.ReplayAdmin;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.jdbc.kernel.ServerError;
import dev.waybill.jdbc.layout.PaddedColumns;
import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.EventStore;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.StoreRefusedException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * An outbox table that people have, or ours on a database without the journal: rows are marked when they are published. One
 * relay reads it, since a row can be marked once. See {@link TableCursor} and {@link SnapshotLookBack} for how it reads.
 */
public final class TableStore implements EventStore {
    /** These fail when a table or a column is missing. */
    private static final String LOOK_AT_TABLE = "select {all_event_columns} from {table} where 1 = 0";

    private static final String LOOK_AT_SIDE_TABLES = "select 1 from {claim}, {relay}, {audit}, {replay} where 1 = 0";

    private final DataSource dataSource;
    private final TableLayout layout;
    private final TableOptions options;

    private TableStore(DataSource dataSource, TableLayout layout, TableOptions options) {
        this.dataSource = dataSource;
        this.layout = layout;
        this.options = options;
    }

    /**
     * @param dataSource leads to the primary server, not through a pooler in transaction mode; each session takes two
     *     connections for its whole life
     */
    public static TableStore on(DataSource dataSource, TableLayout layout) {
        return on(dataSource, layout, TableOptions.defaults());
    }

    public static TableStore on(DataSource dataSource, TableLayout layout, TableOptions options) {
        return new TableStore(dataSource, layout, options);
    }

    public StoreAdmin admin() {
        return new TableStoreAdmin(dataSource, layout, options.claiming());
    }

    public ReplayAdmin replays() {
        return new TableReplays(dataSource, layout, options);
    }

    @Override
    public boolean purge(Duration olderThan, int atMost) {
        return admin().purge(olderThan, atMost).more();
    }

    @Override
    public Optional<RelaySession> open(RelayName relay, OwnerId owner, Duration lease) {
        return TableConnection.session(
                () -> TableConnection.open(dataSource, layout, TableView.of(options.created())),
                relay,
                connection -> open(connection, relay, owner, lease));
    }

    private Optional<RelaySession> open(TableConnection connection, RelayName relay, OwnerId owner, Duration lease)
            throws SQLException {
        requireTables(connection, relay);
        requireUniqueSequence(connection, relay);
        requireUnpadded(connection, relay);
        TableLease.register(connection, relay);
        if (options.claiming() == TableOptions.Claiming.COMPETING) {
            return Optional.of(compete(connection, relay, owner, lease));
        }
        Optional<Long> epoch = TableLease.acquire(connection, relay, owner, lease);
        if (epoch.isEmpty()) {
            return Optional.empty();
        }
        TableLease held = new TableLease(dataSource, layout, relay, epoch.get(), lease);
        return Optional.of(new TableSession(held, connection, options));
    }

    /** A session among others: it has no lease on the relay, but one on each row that it claims. */
    private RelaySession compete(TableConnection connection, RelayName relay, OwnerId owner, Duration lease)
            throws SQLException {
        long epoch = TableLease.nextEpoch(connection, relay);
        RowLeases leases = new RowLeases(connection, owner.value() + "#" + epoch, lease);
        return new CompetingSession(new Renewing(dataSource, layout, relay, epoch), leases, connection, options);
    }

    /** Rows are marked by it: where two have the same number, one would be marked for the other. */
    private void requireUniqueSequence(TableConnection connection, RelayName relay) throws SQLException {
        Optional<String> sequence = layout.column(TableColumn.SEQUENCE);
        if (sequence.isPresent() && !connection.catalogue().isUnique(sequence.get())) {
            throw new StoreRefusedException("Relay " + relay + " marks rows of " + layout.tableName() + " by their "
                    + sequence.get() + ", and no key or index makes that column unique, so rows could be marked as"
                    + " published that never were. Take the sequence out of the layout, or run: "
                    + connection.catalogue().makeUnique(sequence.get()));
        }
    }

    private void requireUnpadded(TableConnection connection, RelayName relay) throws SQLException {
        PaddedColumns padded = connection.padded();
        if (!padded.found().isEmpty()) {
            throw new StoreRefusedException("Relay " + relay + " cannot tell rows and keys of "
                    + layout.tableName() + " apart as the database does: " + String.join("; ", padded.found())
                    + ". While nobody writes, run: " + padded.remedy());
        }
    }

    private void requireVersion(TableConnection connection, RelayName relay) throws SQLException {
        int version = connection.one(TableSchema.NEWEST_VERSION, row -> row.getInt(1));
        if (version != TableSchema.VERSION) {
            throw new StoreRefusedException("Relay " + relay + " cannot work with the tables beside "
                    + layout.tableName() + ": they have version " + version + ", this Waybill knows "
                    + TableSchema.VERSION + ". " + TableSchema.remedy(version));
        }
    }

    private void requireTables(TableConnection connection, RelayName relay) {
        try {
            connection.exists(LOOK_AT_TABLE);
            connection.exists(LOOK_AT_SIDE_TABLES);
            requireVersion(connection, relay);
        } catch (SQLException e) {
            SQLException safe = ServerError.withoutRows(e);
            throw new StoreRefusedException("Relay " + relay + " cannot read the table " + layout.tableName() + " as "
                    + layout.name() + ": " + safe.getMessage()
                    + ". Run `waybill init --layout` or TableSchema.create to"
                    + " create what is missing, or correct the layout.");
        }
    }
}
