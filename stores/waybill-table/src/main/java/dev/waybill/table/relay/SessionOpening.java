package dev.waybill.table.relay;

import dev.waybill.RelayName;
import dev.waybill.admin.Finding;
import dev.waybill.jdbc.kernel.ServerError;
import dev.waybill.jdbc.kernel.SqlFailure;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.StoreRefusedException;
import dev.waybill.table.rows.TableConnection;
import dev.waybill.table.rows.TableView;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

/** Opens sessions of the relay of an outbox table, after checking that the table can be relayed. */
public final class SessionOpening {
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
        connection.startChecks(options.competing(), options.guard()).each((subject, check) -> {
            Finding finding = check.take();
            if (finding.severity() == Finding.Severity.PROBLEM) {
                throw new StoreRefusedException("Relay " + relay + " cannot read the table " + layout.tableName()
                        + " as " + layout.name() + ": " + finding.what() + ". " + finding.remedy());
            }
        });
        requireDelete(connection, relay);
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

    /** Otherwise it would publish the same rows again and again. */
    private void requireDelete(TableConnection connection, RelayName relay) throws SQLException {
        if (layout.deletesPublished()) {
            try {
                connection.update(MAY_DELETE);
            } catch (SQLException e) {
                if (SqlFailure.mayPass(e)) {
                    throw e;
                }
                throw new StoreRefusedException("Relay " + relay + " deletes published rows of " + layout.tableName()
                        + ", but its user may not: "
                        + ServerError.withoutRows(e).getMessage()
                        + ". Grant it DELETE on the table, as `waybill init --relay` does.");
            }
        }
    }
}
