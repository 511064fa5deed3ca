package dev.waybill.testkit.random;

import dev.waybill.spi.StoreException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;

/** Reads while the writers run, and afterwards until nothing is left. */
public final class ReadUntilDrained implements Callable<List<ReadEvent>> {
    /** A window may end without an event and be followed by another window. */
    private static final int EMPTY_READS_AT_END = 3;

    private final Reader reader;
    private final ServerGate gate;
    private final Random random;
    private final List<ReadEvent> read = new ArrayList<>();
    private final AtomicInteger emptyReads = new AtomicInteger();
    private volatile boolean draining;

    public ReadUntilDrained(Reader reader, ServerGate gate, Random random) {
        this.reader = reader;
        this.gate = gate;
        this.random = random;
    }

    /** All transactions have ended. */
    public void drain() {
        draining = true;
    }

    /** Number of reads that found nothing. */
    int emptyReads() {
        return emptyReads.get();
    }

    @Override
    public List<ReadEvent> call() {
        boolean crashed = false;
        // Of the connection: the server may have crashed and come back since the last read.
        int generation = 0;
        int emptyAtEnd = 0;
        while (emptyAtEnd < EMPTY_READS_AT_END) {
            if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("The run was given up.");
            }
            boolean last = draining;
            try {
                if (crashed) {
                    generation = gate.generation();
                    reader.crashed();
                    crashed = false;
                }
                boolean some = reader.readSome(read::add);
                emptyReads.addAndGet(some ? 0 : 1);
                emptyAtEnd = some || !last ? 0 : emptyAtEnd + 1;
                // An occasional long pause, so that the next window is large.
                Scene.pause(random, random.nextInt(20) == 0 ? 300_000 : 4000);
            } catch (SQLException | StoreException e) {
                crashed = true;
                gate.awaitAfter(generation, e);
                // Writers may reconnect first.
                Scene.pause(random, 300_000);
            }
        }
        return read;
    }
}
