package dev.waybill.trials;

import dev.waybill.Transactions;
import dev.waybill.inbox.ConsumerOptions;
import dev.waybill.inbox.EventConsumer;
import dev.waybill.spi.Destination;
import java.io.IOException;
import java.sql.Connection;
import java.util.concurrent.atomic.AtomicInteger;

/** A process that runs a consumer until SIGTERM, until its parent process ends, or until it kills itself. */
final class ConsumerProcess {
    static final String RUNS = "trial: the consumer runs";

    private ConsumerProcess() {}

    public static void main(String... arguments) throws Exception {
        ConsumerSettings settings = ConsumerSettings.of(arguments);
        Destination deadLetters = settings.deadLetters();
        EventConsumer consumer = EventConsumer.start(settings.plan(
                deadLetters,
                settings.leaveEffect(),
                transactions ->
                        settings.killAfter() == 0 ? transactions : new Deadly(transactions, settings.killAfter()),
                ConsumerOptions.defaults().workers(4)));
        PeakHeap.watch();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            String health = consumer.health().toString();
            consumer.close();
            deadLetters.close();
            System.out.println(RelayProcess.ENDED + ", " + PeakHeap.inWords() + ", "
                    + consumer.statistics().handled() + " handled, "
                    + consumer.statistics().dead() + " dead" + ", " + health);
        }));
        System.out.println(RUNS);
        while (System.in.read() >= 0) {
            // The parent writes nothing; the stream ends when the parent ends.
        }
        Runtime.getRuntime().halt(1);
    }

    /** Sends SIGKILL to itself right after a commit, before anything is acknowledged. */
    private static final class Deadly implements Transactions<Connection> {
        private final Transactions<Connection> transactions;
        private final AtomicInteger left;

        Deadly(Transactions<Connection> transactions, int commits) {
            this.transactions = transactions;
            this.left = new AtomicInteger(commits);
        }

        @Override
        public <R, E extends Exception> R call(Work<Connection, R, E> work) throws E {
            R result = transactions.call(work);
            if (left.decrementAndGet() <= 0) {
                killThisProcess();
            }
            return result;
        }

        private static void killThisProcess() {
            try {
                new ProcessBuilder(
                                "kill",
                                "-KILL",
                                Long.toString(ProcessHandle.current().pid()))
                        .start()
                        .waitFor();
            } catch (IOException | InterruptedException e) {
                Runtime.getRuntime().halt(137);
            }
        }
    }
}
