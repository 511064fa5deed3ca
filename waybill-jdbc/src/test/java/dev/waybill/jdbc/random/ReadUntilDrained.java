package dev.waybill.jdbc.random;

import dev.waybill.spi.StoreException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;

/** Reads beside the writers, and after they have ended until nothing is left. */
final class ReadUntilDrained implements Callable<List<ReadEvent>> {
    private final Reader reader;
    private final ServerGate gate;
    private final Random random;
    private final List<ReadEvent> read = new ArrayList<>();
    private final AtomicInteger emptyReads = new AtomicInteger();
    private volatile boolean draining;

    ReadUntilDrained(Reader reader, ServerGate gate, Random random) {
        this.reader = reader;
        this.gate = gate;
        this.random = random;
    }

    /** All transactions have ended. */
    void drain() {
        draining = true;
    }

    /** How often it found nothing. */
    int emptyReads() {
        return emptyReads.get();
    }

    @Override
    public List<ReadEvent> call() {
        boolean crashed = false;
        while (!Thread.currentThread().isInterrupted()) {
            boolean last = draining;
            int generation = gate.generation();
            try {
                if (crashed) {
                    reader.crashed();
                    crashed = false;
                }
                if (!reader.readSome(read::add)) {
                    if (last) {
                        return read;
                    }
                    emptyReads.incrementAndGet();
                }
                Scene.pause(random, 4000);
            } catch (SQLException | StoreException e) {
                crashed = true;
                gate.awaitAfter(generation, e);
            }
        }
        throw new IllegalStateException("The run was given up.");
    }
}
