package dev.waybill.table.relay;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.ReplayAdmin;
import dev.waybill.admin.ReplayQuery;
import dev.waybill.admin.ReplaySize;
import dev.waybill.admin.ReplayStatus;
import dev.waybill.jdbc.kernel.ErrorText;
import dev.waybill.jdbc.kernel.SqlArgument;
import dev.waybill.jdbc.kernel.StoreConnection;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.EventStore;
import dev.waybill.spi.StoreRefusedException;
import dev.waybill.table.relay.TableReplayRow.Place;
import dev.waybill.table.rows.TableAudit;
import dev.waybill.table.rows.TableConnection;
import dev.waybill.table.rows.TableTimes;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** Starts, lists and cancels replays of an outbox table, each call on its own connection. */
public final class TableReplays implements ReplayAdmin {
    /** Rows may be this much older than rows before them in the order of the table. */
    private static final Duration DISORDER = Duration.ofMinutes(10);

    private static final String IS_REPLAY = "select name from {replay} where name = ? and outbox = ?";

    private static final String CREATE = """
            insert into {replay} (created_from, created_until, event_type, aggregate_type, aggregate_id, who, why, name, outbox,
                                  at_value, at_id, at_created, up_to, started_at, read_all, total, total_exact, sent)
            values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, null, ?, ?, {clock}, false, 0, false, 0)""";

    private static final String SAVE_TOTAL = "update {replay} set total = ?, total_exact = ? where name = ?";

    private final DataSource dataSource;
    private final TableLayout layout;
    private final SessionOptions options;
    private final EventStore table;

    /** @param table the store of the table, which deletes old rows */
    public TableReplays(DataSource dataSource, TableLayout layout, SessionOptions options, EventStore table) {
        this.dataSource = dataSource;
        this.layout = layout;
        this.options = options;
        this.table = table;
    }

    public static boolean isReplay(TableConnection connection, RelayName relay) throws SQLException {
        return connection.exists(IS_REPLAY, relay.value(), connection.layout().table());
    }

    /** Rows created since then may still be read by a replay; {@link Instant#MAX} if no replay has any left to read. */
    public static Instant unreadFrom(TableConnection connection) throws SQLException {
        return TableReplayRow.all(connection).stream()
                .filter(TableReplayRow::readsOn)
                .map(replay -> TableTimes.instant(replay.at().createdAt()).minus(DISORDER))
                .min(Comparator.naturalOrder())
                .orElse(Instant.MAX);
    }

    @Override
    public EventStore store() {
        return new TableReplayStore(dataSource, layout, options, table);
    }

    @Override
    public ReplaySize preview(ReplayQuery query) {
        requireKept();
        // The name is not used: nothing of a preview is stored.
        return on(new RelayName("preview"), "previewing a replay", connection -> {
            TableReplayRange range = TableReplayRange.now(connection, query);
            return new TableReplayReader(connection, query, range.upTo()).count(new Place(range.start(), 0));
        });
    }

    @Override
    public ReplayStatus start(RelayName name, ReplayQuery query, Actor by) {
        requireKept();
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
            connection.update(SAVE_TOTAL, size.events(), size.exact(), name.value());
            return TableReplayRow.find(connection, name).orElseThrow().status();
        });
    }

    private void requireKept() {
        if (layout.deletesPublished()) {
            throw new StoreRefusedException("Events of the table " + layout.tableName()
                    + " cannot be replayed: its layout " + layout.name() + " deletes published rows.");
        }
    }

    private static void create(
            TableConnection connection, RelayName name, ReplayQuery query, Actor by, TableReplayRange range)
            throws SQLException {
        connection.update(
                CREATE,
                SqlArgument.number(query.from().map(TableTimes::micros).orElse(null)),
                SqlArgument.number(query.until().map(TableTimes::micros).orElse(null)),
                query.type().orElse(null),
                query.aggregateType().orElse(null),
                query.aggregateId().orElse(null),
                ErrorText.cut(by.who(), 200),
                ErrorText.cut(by.why(), 1_000),
                name.value(),
                connection.layout().table(),
                range.start().value(),
                Place.START.createdAt(),
                range.upTo());
    }

    @Override
    public List<ReplayStatus> replays() {
        return TableConnection.once(
                dataSource,
                layout,
                "listing replays",
                connection -> TableReplayRow.all(connection).stream()
                        .map(TableReplayRow::status)
                        .toList());
    }

    @Override
    public Optional<ReplayStatus> replay(RelayName name) {
        return TableConnection.once(
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

    private <R> R on(RelayName name, String what, StoreConnection.Work<TableConnection, R> query) {
        return TableConnection.once(dataSource, layout, Optional.of(name), what, query);
    }
}
