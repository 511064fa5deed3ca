package dev.waybill.example.notifications;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.jdbc.JdbcOutbox;
import dev.waybill.jdbc.layout.TableLayout;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Writes what happened, and its event, in one transaction. */
final class Bookings {
    private final DataSource database;
    private final JdbcOutbox outbox = JdbcOutbox.table(TableLayout.notifications());

    /** @param id chosen by the client, so that a request can be repeated */
    record Request(String id, long subjectId, int people) {}

    /** @param number of the events of this subject, from 1 */
    private record Details(String id, int people, long number) {}

    Bookings(DataSource database) {
        this.database = database;
    }

    /** @return false if it was recorded before */
    boolean record(Business kind, Request request) throws SQLException {
        try (Connection transaction = database.getConnection()) {
            transaction.setAutoCommit(false);
            try {
                boolean recorded = record(transaction, kind, request);
                transaction.commit();
                return recorded;
            } catch (SQLException | RuntimeException e) {
                transaction.rollback();
                throw e;
            }
        }
    }

    private boolean record(Connection transaction, Business kind, Request request) throws SQLException {
        // Locks the subject, so that its events are appended one after the other.
        long number = lockAndCount(transaction, kind, request.subjectId());
        if (isRecorded(transaction, request.id())) {
            transaction.rollback();
            return false;
        }
        Details details = new Details(request.id(), request.people(), number);
        outbox.append(
                transaction,
                Event.of(kind.eventType())
                        .aggregate(kind.aggregateType(), Long.toString(request.subjectId()))
                        .payload(Payload.jsonOf(details))
                        .id("evt-" + request.id()));
        // After the append: if the database refuses the record, the event is rolled back with it.
        insert(transaction, kind, request);
        return true;
    }

    private static long lockAndCount(Connection transaction, Business kind, long subjectId) throws SQLException {
        try (PreparedStatement count =
                        transaction.prepareStatement("insert into subjects (kind, id, events) values (?, ?, 1)"
                                + " on duplicate key update events = events + 1");
                PreparedStatement read =
                        transaction.prepareStatement("select events from subjects where kind = ? and id = ?")) {
            count.setString(1, kind.name());
            count.setLong(2, subjectId);
            count.executeUpdate();
            read.setString(1, kind.name());
            read.setLong(2, subjectId);
            try (ResultSet row = read.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    private static boolean isRecorded(Connection transaction, String id) throws SQLException {
        try (PreparedStatement select = transaction.prepareStatement("select id from records where id = ?")) {
            select.setString(1, id);
            try (ResultSet row = select.executeQuery()) {
                return row.next();
            }
        }
    }

    private static void insert(Connection transaction, Business kind, Request request) throws SQLException {
        try (PreparedStatement insert = transaction.prepareStatement(
                "insert into records (id, kind, subject_id, people) values (?, ?, ?, ?)")) {
            insert.setString(1, request.id());
            insert.setString(2, kind.name());
            insert.setLong(3, request.subjectId());
            insert.setInt(4, request.people());
            insert.executeUpdate();
        }
    }
}
