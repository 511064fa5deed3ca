package dev.waybill.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.AppendException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Many concurrent writers, some of which roll back or commit late, and a relay that reads meanwhile. */
abstract class WritersContract extends RetentionContract {
    private static final int WRITERS = 4;
    private static final int TRANSACTIONS = 60;
    private static final int MOST_ATTEMPTS = 3;

    @Test
    void nothing_is_lost_repeated_or_out_of_order_while_many_write_and_a_relay_reads() throws Exception {
        long seed = Seeds.one();
        System.out.println("Writers' seed: " + seed);
        List<String> committed = Collections.synchronizedList(new ArrayList<>());
        List<String> came = new ArrayList<>();
        ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int writer = 0; writer < WRITERS; writer++) {
                Random random = new Random(seed + writer);
                String key = "abcd".substring(writer, writer + 1);
                running.add(writers.submit(() -> write(key, random, committed)));
            }
            Courier relay = relay().limits(7, 10_000);
            while (!running.stream().allMatch(Future::isDone)) {
                came.addAll(relay.drain());
            }
            for (Future<?> done : running) {
                rethrow(done);
            }
            came.addAll(relay.drain());
        } finally {
            // The next test empties the store: nothing may be written to it then.
            writers.shutdownNow();
            assertThat(writers.awaitTermination(1, TimeUnit.MINUTES))
                    .as("writers have ended")
                    .isTrue();
        }

        assertThat(committed).as("seed %s", seed).isNotEmpty();
        expect(came, committed.toArray(String[]::new));
    }

    private void write(String key, Random random, List<String> committed) {
        for (int i = 0; i < TRANSACTIONS; i++) {
            for (int attempt = 1; !write(key + i, key + "x" + i, random, committed); attempt++) {
                assertThat(attempt).as("attempts to append").isLessThan(MOST_ATTEMPTS);
            }
        }
    }

    /**
     * Writes its own key in order; sometimes it rolls back a transaction, or leaves one of another key open meanwhile.
     *
     * @return false if the database failed; like an application, the writer then rolls back and retries
     */
    private boolean write(String prefix, String besideName, Random random, List<String> committed) {
        StoreHarness.Tx beside = harness().begin();
        StoreHarness.Tx tx = harness().begin();
        try {
            beside.append(events(besideName));
            List<String> names = new ArrayList<>();
            for (int n = random.nextInt(3); n >= 0; n--) {
                names.add(prefix + "-" + n);
            }
            tx.append(events(names.toArray(String[]::new)));
            if (random.nextInt(5) == 0) {
                tx.rollback();
            } else {
                tx.commit();
                committed.addAll(names);
            }
            if (random.nextBoolean()) {
                beside.commit();
                committed.add(besideName);
            }
            return true;
        } catch (AppendException e) {
            return false;
        } finally {
            tx.rollback();
            beside.rollback();
        }
    }

    private static void rethrow(Future<?> done) throws InterruptedException {
        try {
            done.get();
        } catch (ExecutionException e) {
            throw new AssertionError("A writer failed.", e.getCause());
        }
    }
}
