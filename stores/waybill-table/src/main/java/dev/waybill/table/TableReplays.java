package dev.waybill.table;

import dev.waybill.admin.Actor;
import dev.waybill.admin.ReplayAdmin;
import dev.waybill.admin.ReplayQuery;
import dev.waybill.admin.ReplaySize;
import dev.waybill.admin.ReplayStatus;
import dev.waybill.jdbc.kernel.ErrorText;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.EventStore;
import dev.waybill.spi.RelayName;
import dev.waybill.spi.StoreRefusedException;
import dev.waybill.table.TableReplayRow.Place;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** Begins, tells of and cancels replays of an outbox table, each call over a connection of its own. */
final class TableReplays implements ReplayAdmin {
    private static final String IS_REPLAY = "select name from {replay} where name = ? and outbox = ?";

    private static final String CREATE = """
            insert into {replay} (created_from, created_until, event_type, aggregate_type, aggregate_id, who, why, name, outbox,
                                  at_value, at_id, at_created, up_to, started_at, read_all, total, total_exact, sent)
            values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, null, ?, ?, {clock}, false, 0, false, 0)""";

    private static final String SAVE_TOTAL = "update {replay} set total = ?, total_exact = ? where name = ?";

    private final DataSource dataSource;
    private final TableLayout layout;
    private final TableOptions options;

    TableReplays(DataSource dataSource, TableLayout layout, TableOptions options) {
        this.dataSource = dataSource;
        this.layout = layout;
        this.options = options;
    }

    static boolean isReplay(TableConnection connection, RelayName relay) throws SQLException {
        PreparedStatement statement = connection.prepare(IS_REPLAY);
        statement.setString(1, relay.value());
        statement.setString(2, connection.layout().table());
        try (ResultSet row = statement.executeQuery()) {
            return row.next();
        }
    }

    @Override
    public EventStore store() {
        return new TableReplayStore(dataSource, layout, options);
    }

    @Override
    public ReplaySize preview(ReplayQuery query) {
        // Its name is nobody's: nothing is kept of it.
        return on(new RelayName("preview"), "previewing a replay", connection -> {
            TableReplayRange range = TableReplayRange.now(connection, query);
            return new TableReplayReader(connection, query, range.upTo()).count(new Place(range.start(), 0));
        });
    }

    @Override
    public ReplayStatus start(RelayName name, ReplayQuery query, Actor by) {
        return on(name, "starting the replay " + name, connection -> {
            if (isReplay(connection, name)) {
                throw new StoreRefusedException(
                        "The replay " + name
                                + " cannot be started: there is a replay of that name. Use another name, or drop that one first.");
            }
            TableLease.register(connection, name);
            TableReplayRange range = TableReplayRange.now(connection, query);
            connection.inTransaction(() -> {
                create(connection, name, query, by, range);
                new TableAudit(connection, by, "replay-start", name.value()).write(query.inWords());
                return name;
            });
            ReplaySize size = new TableReplayReader(connection, query, range.upTo()).count(new Place(range.start(), 0));
            PreparedStatement total = connection.prepare(SAVE_TOTAL);
            total.setLong(1, size.events());
            total.setBoolean(2, size.exact());
            total.setString(3, name.value());
            total.executeUpdate();
            return TableReplayRow.find(connection, name).orElseThrow().status();
        });
    }

    private static void create(
            TableConnection connection, RelayName name, ReplayQuery query, Actor by, TableReplayRange range)
            throws SQLException {
        PreparedStatement create = connection.prepare(CREATE);
        create.setObject(1, query.from().map(TableTimes::micros).orElse(null), Types.BIGINT);
        create.setObject(2, query.until().map(TableTimes::micros).orElse(null), Types.BIGINT);
        create.setString(3, query.type().orElse(null));
        create.setString(4, query.aggregateType().orElse(null));
        create.setString(5, query.aggregateId().orElse(null));
        create.setString(6, ErrorText.cut(by.who(), 200));
        create.setString(7, ErrorText.cut(by.why(), 1_000));
        create.setString(8, name.value());
        create.setString(9, connection.layout().table());
        create.setLong(10, range.start().value());
        create.setLong(11, Place.START.createdAt());
        create.setLong(12, range.upTo());
        create.executeUpdate();
    }

    @Override
    public List<ReplayStatus> replays() {
        return TableConnection.query(
                dataSource,
                layout,
                "listing replays",
                connection -> TableReplayRow.all(connection).stream()
                        .map(TableReplayRow::status)
                        .toList());
    }

    @Override
    public Optional<ReplayStatus> replay(RelayName name) {
        return TableConnection.query(
                dataSource,
                layout,
                "looking at the replay " + name,
                connection -> TableReplayRow.find(connection, name).map(TableReplayRow::status));
    }

    @Override
    public Optional<ReplayStatus> cancel(RelayName name, Actor by) {
        return on(name, "cancelling the replay " + name, connection -> {
            if (isReplay(connection, name)) {
                new TableReplayEnding(connection, name).cancel(by);
            }
            return TableReplayRow.find(connection, name).map(TableReplayRow::status);
        });
    }

    private <R> R on(RelayName name, String what, TableConnection.Query<R> query) {
        return TableConnection.query(dataSource, layout, Optional.of(name), what, query);
    }
}
