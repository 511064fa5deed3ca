package dev.waybill.example.orderservice;

import dev.waybill.Event;
import dev.waybill.EventIds;
import dev.waybill.Payload;
import dev.waybill.example.orderservice.OrderEvents.Item;
import dev.waybill.example.orderservice.OrderEvents.OrderCancelled;
import dev.waybill.example.orderservice.OrderEvents.OrderCreated;
import dev.waybill.jdbc.JdbcOutbox;
import dev.waybill.jdbc.layout.TableLayout;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;

/** Writes orders and their events, each change and its event in one transaction. */
final class Orders {
    private final DataSource database;
    private final JdbcOutbox outbox = JdbcOutbox.table(TableLayout.orders());

    /** An order of a customer, who chooses its id so that a request can be repeated. */
    record NewOrder(UUID id, String customer, List<Item> items) {
        long totalCents() {
            return items.stream()
                    .mapToLong(item -> item.quantity() * item.priceCents())
                    .sum();
        }
    }

    Orders(DataSource database) {
        this.database = database;
    }

    /** A change of orders, with its events. */
    private interface Change {
        boolean apply(Connection transaction) throws SQLException;
    }

    /** @return false if the order was placed before */
    boolean place(NewOrder order) throws SQLException {
        return inTransaction(transaction -> {
            if (!insert(transaction, order)) {
                return false;
            }
            String eventId = EventIds.next();
            OrderCreated created = new OrderCreated(
                    eventId, order.id().toString(), order.customer(), order.items(), order.totalCents());
            append(transaction, OrderEvents.CREATED, eventId, order.id(), Payload.jsonOf(created));
            // After the append: if an item is refused, the event is rolled back with the order.
            insertItems(transaction, order);
            return true;
        });
    }

    /** @return false if there is no such order, or if it is cancelled already */
    boolean cancel(UUID orderId) throws SQLException {
        return inTransaction(transaction -> {
            String customer = lockAndCancel(transaction, orderId);
            if (customer.isEmpty()) {
                return false;
            }
            String eventId = EventIds.next();
            OrderCancelled cancelled = new OrderCancelled(eventId, orderId.toString(), customer);
            append(transaction, OrderEvents.CANCELLED, eventId, orderId, Payload.jsonOf(cancelled));
            return true;
        });
    }

    private void append(Connection transaction, String type, String eventId, UUID orderId, Payload payload) {
        outbox.append(
                transaction,
                Event.of(type)
                        .aggregate("Order", orderId.toString())
                        .payload(payload)
                        .id(eventId));
    }

    private boolean inTransaction(Change change) throws SQLException {
        try (Connection transaction = database.getConnection()) {
            transaction.setAutoCommit(false);
            try {
                boolean changed = change.apply(transaction);
                transaction.commit();
                return changed;
            } catch (SQLException | RuntimeException e) {
                transaction.rollback();
                throw e;
            }
        }
    }

    private static boolean insert(Connection transaction, NewOrder order) throws SQLException {
        try (PreparedStatement insert = transaction.prepareStatement(
                "insert into orders (id, customer, status, total_cents) values (?, ?, 'PLACED', ?)"
                        + " on conflict (id) do nothing")) {
            insert.setObject(1, order.id());
            insert.setString(2, order.customer());
            insert.setLong(3, order.totalCents());
            return insert.executeUpdate() == 1;
        }
    }

    private static void insertItems(Connection transaction, NewOrder order) throws SQLException {
        try (PreparedStatement insert = transaction.prepareStatement(
                "insert into order_items (order_id, product, quantity, price_cents) values (?, ?, ?, ?)")) {
            for (Item item : order.items()) {
                insert.setObject(1, order.id());
                insert.setString(2, item.product());
                insert.setInt(3, item.quantity());
                insert.setLong(4, item.priceCents());
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    /** @return the customer; empty if nothing was changed */
    private static String lockAndCancel(Connection transaction, UUID orderId) throws SQLException {
        try (PreparedStatement update = transaction.prepareStatement(
                "update orders set status = 'CANCELLED' where id = ? and status = 'PLACED' returning customer")) {
            update.setObject(1, orderId);
            try (ResultSet row = update.executeQuery()) {
                return row.next() ? row.getString(1) : "";
            }
        }
    }
}
