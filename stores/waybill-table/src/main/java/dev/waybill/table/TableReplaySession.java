package dev.waybill.table;

import dev.waybill.jdbc.kernel.SessionSteps;
import dev.waybill.spi.Batch;
import dev.waybill.spi.LeaseLostException;
import dev.waybill.spi.Limits;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.table.TableReplayRow.Place;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One epoch of a replay over an outbox table. It marks no row: how far it has come is one place, saved with each settlement, and
 * what fails is in the side table under the replay's own name.
 */
final class TableReplaySession implements RelaySession {
    private static final String SAVE = """
            update {replay} set at_value = ?, at_id = ?, at_created = ?, read_all = ?, sent = sent + ? where name = ?""";

    private static final Logger log = LoggerFactory.getLogger(TableReplaySession.class);

    private final TableLease lease;
    private final TableConnection connection;
    private final TableOptions options;
    private final TableReplayReader reader;
    private final TableReplayParking parking;
    private final DueRows dueRows;
    private final SessionSteps steps;
    private final OutRows out = new OutRows();
    /** What the fresh batches that are out mean, oldest first. */
    private final Deque<Stretch> stretches = new ArrayDeque<>();

    private Place settled;
    private boolean settledAll;
    private Place read;
    private boolean readAll;

    /**
     * A part of the table that a batch covers.
     *
     * @param matching its rows that match, in order, those of closed keys too
     * @param behind the ids of those of closed keys
     */
    private record Stretch(Place start, List<TableRow> matching, Set<String> behind, Place end, boolean last) {}

    TableReplaySession(TableLease lease, TableConnection connection, TableOptions options, TableReplayRow replay) {
        this.lease = lease;
        this.connection = connection;
        this.steps = new SessionSteps(lease.relay(), lease.epoch(), TableConnection::failed);
        this.options = options;
        this.reader = new TableReplayReader(connection, replay.status().query(), replay.upTo());
        this.parking = new TableReplayParking(connection);
        this.dueRows = new DueRows(connection, lease, options);
        this.settled = replay.at();
        this.settledAll = replay.readAll();
        this.read = settled;
        this.readAll = settledAll;
    }

    @Override
    public long epoch() {
        return lease.epoch();
    }

    @Override
    public boolean renew() {
        return lease.renew();
    }

    @Override
    public Optional<Batch> claim(Limits max) {
        return steps.run("claiming", () -> {
            TablePoll poll = TablePoll.take(
                    connection, lease.relay().value(), options.clock().instant(), null);
            if (poll.epoch().isEmpty() || poll.epoch().getAsLong() != lease.epoch()) {
                throw new LeaseLostException(lease.relay(), lease.epoch());
            }
            Optional<Batch> batch = poll.paused() ? Optional.empty() : next(max, poll);
            if (batch.isEmpty() && out.isEmpty()) {
                promoteHeadless(poll);
                new TableReplayEnding(connection, lease.relay()).endIfOver(lease);
            }
            return batch;
        });
    }

    private Optional<Batch> next(Limits max, TablePoll poll) throws SQLException {
        if (poll.due() && !out.anyRetries()) {
            List<TableRow> due = dueRows.find(max, out).rows();
            if (!due.isEmpty()) {
                return Optional.of(out.give(new TableBatch(due, true)));
            }
        }
        return readAll ? Optional.empty() : Optional.of(fresh(max));
    }

    /** Without events it may be: it moves the position all the same. */
    private Batch fresh(Limits max) throws SQLException {
        TableReplayReader.Part part = reader.after(read);
        Set<String> closed = closedKeys(part.rows());
        List<TableRow> open = new ArrayList<>();
        List<TableRow> matching = new ArrayList<>();
        Set<String> behind = new HashSet<>();
        Place start = read;
        long bytes = 0;
        boolean cut = false;
        for (TableRow row : part.rows()) {
            boolean isBehind = closed.contains(row.keyHash());
            bytes += isBehind ? 0 : row.bytes();
            cut = !isBehind && (open.size() == max.events() || (bytes > max.bytes() && !open.isEmpty()));
            if (cut) {
                break;
            }
            matching.add(row);
            if (isBehind) {
                behind.add(row.rowId());
            } else {
                open.add(row);
            }
        }
        read = cut ? Place.of(matching.get(matching.size() - 1)) : part.end();
        readAll = !cut && part.last();
        stretches.addLast(new Stretch(start, matching, behind, read, readAll));
        return out.give(new TableBatch(reader.withPayloads(open), false));
    }

    /** Keys with a row that waits, and keys of rows that will wait when a batch that is out is settled. */
    private Set<String> closedKeys(List<TableRow> rows) throws SQLException {
        Set<String> closed = new HashSet<>(parking.closedAmong(rows));
        for (Stretch stretch : stretches) {
            stretch.matching().stream()
                    .filter(row -> stretch.behind().contains(row.rowId()))
                    .forEach(row -> closed.add(row.keyHash()));
        }
        return closed;
    }

    @Override
    public void settle(Batch batch, List<Settlement> inClaimOrder) {
        steps.run("settling", () -> {
            TableBatch oldest = out.takeOldest(lease.relay(), batch, inClaimOrder);
            int released = inClaimOrder.indexOf(Settlement.RELEASED);
            int count = released < 0 ? inClaimOrder.size() : released;
            List<TableRow> rows = new ArrayList<>(oldest.rows().subList(0, count));
            List<Settlement> settlements = new ArrayList<>(inClaimOrder.subList(0, count));
            int sent = Collections.frequency(settlements, Settlement.PUBLISHED);
            if (!oldest.retries()) {
                List<TableRow> behind = goOn(stretches.removeFirst(), oldest.rows(), released);
                rows.addAll(behind);
                settlements.addAll(Collections.nCopies(behind.size(), Settlement.BEHIND));
            }
            save(rows, settlements, sent, oldest.retries());
            if (released >= 0) {
                out.takeAll();
                stretches.clear();
                read = settled;
                readAll = settledAll;
            }
            return count;
        });
    }

    /**
     * Moves to the end of a stretch, or to the last row of it before the first that was released.
     *
     * @return the rows up to there that go behind others of their key
     */
    private List<TableRow> goOn(Stretch stretch, List<TableRow> given, int released) {
        List<TableRow> passed = stretch.matching();
        if (released < 0) {
            settled = stretch.end();
            settledAll = stretch.last();
        } else {
            int at = passed.indexOf(given.get(released));
            passed = passed.subList(0, at);
            settled = at == 0 ? stretch.start() : Place.of(passed.get(at - 1));
            settledAll = false;
        }
        return passed.stream()
                .filter(row -> stretch.behind().contains(row.rowId()))
                .toList();
    }

    private void save(List<TableRow> rows, List<Settlement> settlements, int sent, boolean retries)
            throws SQLException {
        connection.inTransaction(() -> {
            lease.fence(connection);
            if (retries || sent < rows.size()) {
                parking.settle(rows, settlements);
            }
            return connection.update(
                    SAVE,
                    settled.position().value(),
                    settled.position().id() == null
                            ? null
                            : String.valueOf(settled.position().id()),
                    settled.createdAt(),
                    settledAll,
                    sent,
                    lease.relay().value());
        });
    }

    private void promoteHeadless(TablePoll poll) throws SQLException {
        List<String> keys = poll.sideRows() ? parking.withoutHead() : List.of();
        if (!keys.isEmpty()) {
            connection.inTransaction(() -> {
                lease.fence(connection);
                parking.reopen(keys);
                return keys;
            });
        }
    }

    @Override
    public void close() {
        lease.giveBack(connection, log);
    }
}
