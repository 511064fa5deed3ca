package dev.waybill.bench;

import dev.waybill.bench.kit.Endpoints;
import dev.waybill.bench.kit.PausableSystem;
import dev.waybill.bench.kit.Shape;
import dev.waybill.bench.pipes.Backlog;
import dev.waybill.bench.pipes.Contender;
import dev.waybill.bench.servers.Servers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A contender that drains the journal's backlog without being a relay. It has nothing to append with. */
final class ContenderSystem implements PausableSystem {
    private final Endpoints endpoints;
    private final String description;
    private final Factory factory;
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private Shape shape = Shape.USUAL;
    private int events;
    private @Nullable Contender contender;
    private @Nullable Future<Void> draining;

    interface Factory {
        Contender create(int events, String topic) throws Exception;
    }

    ContenderSystem(Endpoints endpoints, String description, Factory factory) {
        this.endpoints = endpoints;
        this.description = description;
        this.factory = factory;
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public void vary(Shape other) {
        shape = other;
    }

    @Override
    public void prepare(int count) throws Exception {
        events = count;
        Backlog.JOURNAL.fillUnlessFull(dataSource(), count, shape);
    }

    @Override
    public void start(String topic) throws Exception {
        contender = factory.create(events, topic);
        resume();
    }

    /** It pauses by itself when it has sent everything. */
    @Override
    public void pause() throws Exception {
        Future<Void> current = draining;
        if (current != null) {
            current.get();
        }
    }

    @Override
    public void add(int count) throws SQLException {
        try (Connection connection = dataSource().getConnection()) {
            Backlog.JOURNAL.add(connection, events + 1, events + count, false, shape);
        }
        events += count;
    }

    @Override
    public void resume() {
        Contender current = Objects.requireNonNull(contender, "a system is started before it is resumed");
        Callable<Void> drain = () -> {
            current.drain();
            return null;
        };
        draining = thread.submit(drain);
    }

    @Override
    public void stop() throws Exception {
        pause();
        closeContender();
    }

    private DataSource dataSource() {
        return Servers.dataSource(endpoints.jdbcUrl());
    }

    private void closeContender() {
        Contender current = contender;
        if (current != null) {
            current.close();
        }
        contender = null;
    }

    @Override
    public Optional<String> outbox() {
        return Optional.empty();
    }

    @Override
    public Appender appender() {
        throw new UnsupportedOperationException("Nothing appends to " + description + ".");
    }

    @Override
    public void close() {
        closeContender();
        thread.shutdownNow();
    }
}
