package dev.waybill.bench;

import dev.waybill.bench.kit.Endpoints;
import dev.waybill.bench.kit.Shape;
import dev.waybill.bench.kit.VariedSystem;
import dev.waybill.bench.pipes.Backlog;
import dev.waybill.bench.pipes.Contender;
import dev.waybill.bench.servers.Servers;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** A contender that drains the journal's backlog without being a relay. It has nothing to append with. */
final class ContenderSystem implements VariedSystem {
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
        Backlog.JOURNAL.fillUnlessFull(Servers.dataSource(endpoints.jdbcUrl()), count, shape);
    }

    @Override
    public void start(String topic) throws Exception {
        Contender created = factory.create(events, topic);
        contender = created;
        Callable<Void> drain = () -> {
            created.drain();
            return null;
        };
        draining = thread.submit(drain);
    }

    @Override
    public void stop() throws Exception {
        Future<Void> current = draining;
        if (current != null) {
            current.get();
        }
        closeContender();
    }

    private void closeContender() {
        Contender current = contender;
        if (current != null) {
            current.close();
        }
        contender = null;
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
