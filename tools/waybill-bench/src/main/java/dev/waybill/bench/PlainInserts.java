package dev.waybill.bench;

import dev.waybill.bench.kit.BenchSystem;
import dev.waybill.bench.kit.Business;
import dev.waybill.bench.kit.Endpoints;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Transactions that nothing is sent from, as a measure for what appending costs. */
final class PlainInserts implements BenchSystem {
    private final Endpoints endpoints;
    private final @Nullable String table;
    private final @Nullable String insert;
    private final String description;

    /**
     * @param table of the events; null for no event
     * @param insert of the event: with the payload as its parameter, or the key and the payload; null for no event
     */
    PlainInserts(Endpoints endpoints, @Nullable String table, @Nullable String insert, String description) {
        this.endpoints = endpoints;
        this.table = table;
        this.insert = insert;
        this.description = description;
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public void prepare(int events) throws SQLException {
        if (events > 0) {
            throw new UnsupportedOperationException("Nothing drains " + description + ".");
        }
        try (Connection connection = endpoints.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("truncate bench_smallest, bench_order, waybill.event, waybill_event");
            statement.execute("checkpoint");
        }
    }

    @Override
    public void start(String topic) {
        throw new UnsupportedOperationException("Nothing sends from " + description + ".");
    }

    /** Nothing to do: it is never started. */
    @Override
    public void stop() {}

    @Override
    public Optional<String> outbox() {
        return Optional.ofNullable(table);
    }

    @Override
    public Appender appender() throws SQLException {
        Connection connection = endpoints.connect();
        connection.setAutoCommit(false);
        PreparedStatement event = insert == null ? null : connection.prepareStatement(insert);
        int parameters = event == null ? 0 : event.getParameterMetaData().getParameterCount();
        return new Appender() {
            @Override
            public void append(long number) throws SQLException {
                Business.insertRow(connection, number);
                if (event != null) {
                    if (parameters == 2) {
                        event.setString(1, Business.key(number));
                    }
                    event.setString(parameters, Business.payload(number));
                    event.executeUpdate();
                }
                connection.commit();
            }

            @Override
            public void close() throws SQLException {
                connection.close();
            }
        };
    }

    /** Nothing to do: it has no connection of its own. */
    @Override
    public void close() {}
}
