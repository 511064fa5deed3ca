package dev.waybill.table.relay;

import dev.waybill.RelayName;
import dev.waybill.admin.Finding;
import dev.waybill.jdbc.kernel.ServerError;
import dev.waybill.jdbc.layout.PaddedColumns;
import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.StoreRefusedException;
import dev.waybill.table.rows.SideVersion;
import dev.waybill.table.rows.TableConnection;
import dev.waybill.table.rows.TableView;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

/** Opens sessions of the relay of an outbox table, after checking that the table can be relayed. */
public final class SessionOpening {
    /** These fail if a table or a column is missing. */
    private static final String LOOK_AT_TABLE = "select {all_event_columns} from {table} where 1 = 0";

    private static final String LOOK_AT_SIDE_TABLES = "select 1 from {claim}, {relay}, {audit}, {replay} where 1 = 0";

    private static final String MAY_DELETE = "delete from {table} where 1 = 0";

    private final DataSource dataSource;
    private final TableLayout layout;
    private final SessionOptions options;

    public SessionOpening(DataSource dataSource, TableLayout layout, SessionOptions options) {
        this.dataSource = dataSource;
        this.layout = layout;
        this.options = options;
    }

    /** @return nothing while another owner holds the lease or, for a session in order, while others have leases on rows */
    public Optional<RelaySession> open(TableView view, RelayName relay, OwnerId owner, Duration lease) {
        return TableConnection.session(
                () -> TableConnection.open(dataSource, layout, view),
                relay,
                connection -> open(connection, view, relay, owner, lease));
    }

    private Optional<RelaySession> open(
            TableConnection connection, TableView view, RelayName relay, OwnerId owner, Duration lease)
            throws SQLException {
        requireTables(connection, relay);
        requireKnownTimes(connection, relay);
        requireDelete(connection, relay);
        requireGuard(connection, relay);
        requireUniqueSequence(connection, relay);
        requireUnpadded(connection, relay);
        TableLease.register(connection, relay);
        if (options.competing()) {
            return Optional.of(compete(connection, relay, owner, lease));
        }
        Optional<Long> epoch = RowLeases.anyAlive(connection, lease)
                ? Optional.empty()
                : TableLease.acquire(connection, relay, owner, lease);
        if (epoch.isEmpty()) {
            return Optional.empty();
        }
        TableLease held = new TableLease(dataSource, layout, relay, epoch.get(), lease);
        return Optional.of(new TableSession(
                held, connection, patience -> TableConnection.open(dataSource, layout, view, patience), options));
    }

    /** A competing session shares the lease on the relay with others, and has one of its own on each row that it claims. */
    private RelaySession compete(TableConnection connection, RelayName relay, OwnerId owner, Duration lease)
            throws SQLException {
        SharedLease shared = SharedLease.join(connection, relay, owner, lease);
        RenewalConnection renewal = new RenewalConnection(dataSource, layout, relay, shared.epoch());
        return new CompetingSession(new RowLeases(connection, renewal, shared), connection, options);
    }

    private static void requireKnownTimes(TableConnection connection, RelayName relay) throws SQLException {
        try {
            connection.requireKnownTimes();
        } catch (IllegalArgumentException e) {
            throw new StoreRefusedException("Relay " + relay + " cannot read the times of its rows. " + e.getMessage());
        }
    }

    /** Rows are marked by their number, so equal numbers would mark rows that were not published. */
    private void requireUniqueSequence(TableConnection connection, RelayName relay) throws SQLException {
        Optional<String> sequence = layout.column(TableColumn.SEQUENCE);
        if (sequence.isPresent() && !connection.catalogue().isUnique(sequence.get())) {
            throw new StoreRefusedException("Relay " + relay + " marks rows of " + layout.tableName() + " by their "
                    + sequence.get() + ", but no key or index makes that column unique, so a row could be marked"
                    + " instead of the published one. Take the sequence out of the layout, or run: "
                    + connection.catalogue().makeUnique(sequence.get()));
        }
    }

    private void requireUnpadded(TableConnection connection, RelayName relay) throws SQLException {
        PaddedColumns padded = connection.padded();
        if (!padded.found().isEmpty()) {
            throw new StoreRefusedException("Relay " + relay + " compares ids and keys of "
                    + layout.tableName() + " differently than the database does: " + String.join("; ", padded.found())
                    + ". While nobody writes, run: " + padded.remedy());
        }
    }

    private void requireVersion(TableConnection connection, RelayName relay) throws SQLException {
        int version = connection.one(SideVersion.FIND, row -> row.getInt(1));
        if (version != SideVersion.CURRENT) {
            throw new StoreRefusedException("Relay " + relay + " cannot use the side tables of "
                    + layout.tableName() + ": they have version " + version + ", this Waybill needs "
                    + SideVersion.CURRENT + ". " + SideVersion.remedy(version));
        }
    }

    /** Otherwise it would publish the same rows again and again. */
    private void requireDelete(TableConnection connection, RelayName relay) throws SQLException {
        if (layout.deletesPublished()) {
            try {
                connection.update(MAY_DELETE);
            } catch (SQLException e) {
                throw new StoreRefusedException("Relay " + relay + " deletes published rows of " + layout.tableName()
                        + ", but its user may not: "
                        + ServerError.withoutRows(e).getMessage()
                        + ". Grant it DELETE on the table, as `waybill init --relay` does.");
            }
        }
    }

    private void requireGuard(TableConnection connection, RelayName relay) throws SQLException {
        if (options.guard().isPresent()) {
            Finding guard = connection.guard(options.guard().get());
            if (guard.severity() == Finding.Severity.PROBLEM) {
                throw new StoreRefusedException(
                        "Relay " + relay + " cannot use its guard: " + guard.what() + ". " + guard.remedy());
            }
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
