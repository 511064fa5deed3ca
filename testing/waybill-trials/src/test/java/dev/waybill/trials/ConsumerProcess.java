package dev.waybill.trials;

import dev.waybill.inbox.ConsumerOptions;
import dev.waybill.inbox.EventConsumer;
import dev.waybill.spi.Destination;

/** A process that runs a consumer until SIGTERM, until its parent process ends, or until it kills itself. */
final class ConsumerProcess {
    static final String RUNS = "trial: the consumer runs";

    private ConsumerProcess() {}

    public static void main(String... arguments) throws Exception {
        ConsumerSettings settings = ConsumerSettings.of(arguments);
        Destination deadLetters = settings.deadLetters();
        EventConsumer consumer = settings.plan(
                        deadLetters,
                        settings.leaveEffect(),
                        transactions -> settings.killAfter() == 0
                                ? transactions
                                : KillSelf.afterCommits(settings.killAfter(), transactions),
                        ConsumerOptions.defaults().workers(4))
                .start();
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
}
