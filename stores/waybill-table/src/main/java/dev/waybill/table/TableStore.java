package dev.waybill.table;

import dev.waybill.RelayName;
import dev.waybill.admin.ReplayAdmin;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.EventStore;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.ProcessRegister;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.StoreRefusedException;
import dev.waybill.table.admin.TableStoreAdmin;
import dev.waybill.table.relay.SessionOpening;
import dev.waybill.table.relay.TableReplays;
import dev.waybill.table.rows.TableView;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * An existing outbox table, or Waybill's own on a database without the journal. Rows are marked or deleted when they are
 * published, so a table has one relay.
 */
public final class TableStore implements EventStore {
    private final DataSource dataSource;
    private final TableLayout layout;
    private final TableOptions options;

    private TableStore(DataSource dataSource, TableLayout layout, TableOptions options) {
        this.dataSource = dataSource;
        this.layout = layout;
        this.options = options;
    }

    /**
     * @param dataSource connects to the primary server, not through a pooler in transaction mode; each session keeps two
     *     connections while it is open, and on PostgreSQL a third one while there is a backlog
     */
    public static TableStore on(DataSource dataSource, TableLayout layout) {
        return on(dataSource, layout, TableOptions.defaults());
    }

    public static TableStore on(DataSource dataSource, TableLayout layout, TableOptions options) {
        return new TableStore(dataSource, layout, options);
    }

    public StoreAdmin admin() {
        return new TableStoreAdmin(
                dataSource,
                layout,
                options.session().competing(),
                options.session().guard());
    }

    public ReplayAdmin replays() {
        return new TableReplays(dataSource, layout, options.session(), this);
    }

    @Override
    public boolean purge(Duration olderThan, int atMost) {
        return admin().purge(olderThan, atMost).more();
    }

    @Override
    public Optional<RelaySession> open(RelayName relay, OwnerId owner, Duration lease) {
        options.problemWith(layout).ifPresent(problem -> {
            throw new StoreRefusedException("Relay " + relay + ": " + problem + ".");
        });
        TableView view =
                TableView.created(options.created().from(), options.created().until());
        return new SessionOpening(dataSource, layout, options.session()).open(view, relay, owner, lease);
    }

    @Override
    public Optional<ProcessRegister> processes() {
        return Optional.empty();
    }
}
