package dev.waybill.table.relay;

import dev.waybill.jdbc.kernel.SessionSteps;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.support.ClosedInFlight;
import dev.waybill.table.relay.TableReplayRow.Place;
import dev.waybill.table.rows.TableConnection;
import dev.waybill.table.rows.TableRow;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * One epoch of a replay over an outbox table. It marks no rows: its progress is one position, saved with each settlement, and
 * failed rows have side rows under the name of the replay.
 */
final class TableReplaySession implements RelaySession {
    private static final String SAVE = """
            update {replay} set at_value = ?, at_id = ?, at_created = ?, read_all = ?, sent = sent + ? where name = ?""";

    private final TableLease lease;
    private final TableConnection connection;
    private final SessionOptions options;
    private final TableReplayReader reader;
    private final TableReplayParking parking;
    private final DueRows dueRows;
    private final DeletedHolders deletedHolders;
    private final SessionSteps steps;
    private final RowsInFlight inFlight = new RowsInFlight();
    /** The parts of the table that the fresh batches in flight cover, oldest first. */
    private final Deque<Section> sections = new ArrayDeque<>();

    /** By hash. */
    private final ClosedInFlight<String, Section> closedInFlight = new ClosedInFlight<>();

    private Place settled;
    private boolean settledAll;
    private Place read;
    private boolean readAll;

    /**
     * A part of the table that a batch covers.
     *
     * @param matching its matching rows in order, including those of closed keys
     * @param behind the ids of those of closed keys
     */
    private record Section(Place start, List<TableRow> matching, Set<String> behind, Place end, boolean last) {}

    TableReplaySession(TableLease lease, TableConnection connection, SessionOptions options, TableReplayRow replay) {
        this.lease = lease;
        this.connection = connection;
        this.steps = new SessionSteps(lease.relay(), lease.epoch(), connection::failedHere);
        this.options = options;
        this.reader = new TableReplayReader(connection, replay.status().query(), replay.upTo());
        this.parking = new TableReplayParking(connection);
        this.dueRows = new DueRows(connection, lease, options);
        this.deletedHolders = new DeletedHolders(connection, lease, options.nanoTime());
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
            TablePoll poll = lease.poll(connection, options.clock(), null);
            Optional<Batch> batch = poll.paused() ? Optional.empty() : next(max, poll);
            if (batch.isEmpty() && inFlight.isEmpty()) {
                promoteFirstRows(poll);
                new TableReplayEnding(connection, lease.relay()).endIfOver(lease);
            }
            return batch;
        });
    }

    private Optional<Batch> next(Limits max, TablePoll poll) throws SQLException {
        if (poll.due() && !inFlight.anyRetries()) {
            List<TableRow> due = dueRows.find(max, inFlight).rows();
            if (!due.isEmpty()) {
                return Optional.of(inFlight.add(new TableBatch(due, true)));
            }
        }
        return readAll ? Optional.empty() : Optional.of(fresh(max, poll.sideRows()));
    }

    /** A batch without events is returned as well, since its settlement advances the position. */
    private Batch fresh(Limits max, boolean anySideRows) throws SQLException {
        TableReplayReader.Part part = reader.after(read);
        Set<String> closed = closedKeys(part.rows(), anySideRows);
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
        sections.addLast(new Section(start, matching, behind, read, readAll));
        return inFlight.add(new TableBatch(reader.withPayloads(open), false));
    }

    /** Keys with a waiting row, and keys of rows that will wait when a batch in flight is settled. */
    private Set<String> closedKeys(List<TableRow> rows, boolean anySideRows) throws SQLException {
        Set<String> closed = new HashSet<>(closedInFlight.keys());
        if (anySideRows) {
            closed.addAll(parking.closedAmong(rows));
        }
        for (Section section : sections) {
            section.matching().stream()
                    .filter(row -> section.behind().contains(row.rowId()))
                    .forEach(row -> closed.add(row.keyHash()));
        }
        return closed;
    }

    @Override
    public Optional<BesideClaims> besideClaims() {
        return Optional.empty();
    }

    @Override
    public void settle(Batch batch, List<Settlement> ofRelay) {
        Settlement.requireAttemptsLeft(batch.events(), ofRelay);
        List<Settlement> inClaimOrder = options.clock().translate(ofRelay);
        steps.run("settling", () -> {
            TableBatch oldest = inFlight.takeOldest(lease.relay(), batch, inClaimOrder);
            int released = inClaimOrder.indexOf(Settlement.RELEASED);
            int count = released < 0 ? inClaimOrder.size() : released;
            List<TableRow> rows = new ArrayList<>(oldest.rows().subList(0, count));
            List<Settlement> settlements = new ArrayList<>(inClaimOrder.subList(0, count));
            int sent = Collections.frequency(settlements, Settlement.PUBLISHED);
            if (!oldest.retries()) {
                Section section = sections.removeFirst();
                List<TableRow> behind = advance(section, oldest.rows(), released);
                rows.addAll(behind);
                settlements.addAll(Collections.nCopies(behind.size(), Settlement.BEHIND));
                closedInFlight.settled(section);
            }
            save(rows, settlements, sent, oldest.retries());
            closedInFlight.close(
                    ClosedInFlight.closedBy(rows, settlements, TableRow::keyHash), sections, TableReplaySession::keys);
            if (released >= 0) {
                inFlight.takeAll();
                sections.clear();
                closedInFlight.clear();
                read = settled;
                readAll = settledAll;
            }
            return count;
        });
    }

    private static Stream<String> keys(Section section) {
        return section.matching().stream().map(TableRow::keyHash);
    }

    /**
     * Advances to the end of a part, or to its last row before the first released one.
     *
     * @return the rows up to there that follow others of their key
     */
    private List<TableRow> advance(Section section, List<TableRow> given, int released) {
        List<TableRow> passed = section.matching();
        if (released < 0) {
            settled = section.end();
            settledAll = section.last();
        } else {
            int at = passed.indexOf(given.get(released));
            passed = passed.subList(0, at);
            settled = at == 0 ? section.start() : Place.of(passed.get(at - 1));
            settledAll = false;
        }
        return passed.stream()
                .filter(row -> section.behind().contains(row.rowId()))
                .toList();
    }

    private void save(List<TableRow> rows, List<Settlement> settlements, int sent, boolean retries)
            throws SQLException {
        connection.inTransaction(() -> {
            lease.fence(connection);
            if (retries) {
                settleWaiting(rows, settlements);
            } else if (sent < rows.size()) {
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

    /** An operator may have discarded some of them while they were sent: they stay discarded, and their keys go on. */
    private void settleWaiting(List<TableRow> rows, List<Settlement> settlements) throws SQLException {
        Set<String> waiting = parking.waitingAmong(rows);
        List<Integer> still = IntStream.range(0, rows.size())
                .filter(i -> waiting.contains(rows.get(i).rowId()))
                .boxed()
                .toList();
        parking.settle(
                still.stream().map(rows::get).toList(),
                still.stream().map(settlements::get).toList());
        parking.reopen(rows.stream()
                .filter(row -> !waiting.contains(row.rowId()))
                .map(TableRow::keyHash)
                .collect(Collectors.toSet()));
    }

    private void promoteFirstRows(TablePoll poll) throws SQLException {
        if (!poll.sideRows()) {
            return;
        }
        deletedHolders.forget();
        List<String> keys = parking.withoutHead();
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
        lease.end(connection);
    }
}
