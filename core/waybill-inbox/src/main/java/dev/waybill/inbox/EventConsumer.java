package dev.waybill.inbox;

import dev.waybill.Inbox;
import dev.waybill.Transactions;
import dev.waybill.spi.DestinationOwner;
import dev.waybill.spi.SourceException;
import dev.waybill.spi.Untraced;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A consumer that runs in this process, on its own threads. Any number of processes may run the same consumer: the broker
 * distributes the messages among them, and the inbox makes each effect happen once.
 *
 * <pre>{@code
 * try (EventConsumer consumer = EventConsumer.named("inventory-service", inbox, transactions)
 *         .from(source, MessageReader.envelope())
 *         .on("order.order.placed.v1", (connection, event) -> …)
 *         .deadLettersTo(destination)
 *         .start()) {
 *     …
 * }
 * }</pre>
 */
public final class EventConsumer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(EventConsumer.class);
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);
    /** How long the source may take to acknowledge the last messages and to close. */
    private static final Duration LEAVING = Duration.ofSeconds(30);

    private final DestinationOwner deadLetters;
    private final String name;
    private final Duration grace;
    private final KeyQueues queues = new KeyQueues();
    private final ConsumerStatistics statistics = new ConsumerStatistics();
    private final SharedState shared;
    private final ProblemReport givenUp;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicInteger running = new AtomicInteger();

    private <T> EventConsumer(ConsumerParts<T> parts, DestinationOwner deadLetters, Waits waits, InstantSource wall) {
        this.deadLetters = deadLetters;
        this.name = parts.name;
        this.grace = parts.options.grace();
        this.shared = SharedState.at(new MonotonicClock(), wall, waits, parts.options.workers());
        this.givenUp = new ProblemReport(name, shared.clock(), line -> line.log(log));
        ReceiveMessages<T> receiving = new ReceiveMessages<>(parts, queues, statistics);
        addThread("", Untraced.task(() -> receiveUntilStopped(receiving)));
        HandleNext<T> handling = new HandleNext<>(parts, queues, statistics, shared, givenUp);
        for (int worker = 1; worker <= parts.options.workers(); worker++) {
            addThread("-" + worker, () -> handleUntilStopped(handling));
        }
        PurgeInbox.of(parts, stopping)
                .ifPresent(purging -> addThread("-purge", Untraced.task(purging::runUntilStopped)));
    }

    /** The last thread that ends gives the dead letters' destination back, whoever closed the consumer. */
    private void addThread(String suffix, Runnable work) {
        running.incrementAndGet();
        threads.add(new Thread(
                () -> {
                    try {
                        work.run();
                    } finally {
                        if (running.decrementAndGet() == 0) {
                            givenUp.tellRest();
                            deadLetters.close();
                        }
                    }
                },
                "waybill-consumer-" + name + suffix));
    }

    /**
     * Begins a plan: {@code EventConsumer.named("inventory-service", inbox, transactions).from(source, reader)
     * .on(type, handler).deadLettersTo(destination).start()}.
     *
     * @param name of the consumer in the inbox and in dead letters; the same in every process of this consumer, and different
     *     from all other consumers
     */
    public static <T> ConsumerPlan<T> named(String name, Inbox<T> inbox, Transactions<T> transactions) {
        return new ConsumerPlan<>(name, inbox, transactions);
    }

    static <T> EventConsumer start(ConsumerParts<T> parts, Waits waits) {
        return start(parts, waits, InstantSource.system());
    }

    static <T> EventConsumer start(ConsumerParts<T> parts, Waits waits, InstantSource wall) {
        DestinationOwner owner = DestinationOwner.take(parts.deadLetters, "consumer " + parts.name);
        EventConsumer consumer;
        try {
            consumer = new EventConsumer(parts, owner, waits, wall);
        } catch (Throwable e) {
            owner.close();
            throw e;
        }
        consumer.threads.forEach(Thread::start);
        return consumer;
    }

    public String name() {
        return name;
    }

    /** Number of messages that were received and are not finished. */
    public int held() {
        return queues.held();
    }

    /** When the oldest of these messages was sent; empty if there is none, or if the broker does not say so. */
    public Optional<Instant> oldestSent() {
        return queues.oldestSent();
    }

    public ConsumerStatistics statistics() {
        return statistics;
    }

    /** Whether it works or will recover by itself, and the reason if it does not work now. */
    public ConsumerHealth health() {
        return shared.problems().health();
    }

    /** {@link ConsumerHealth#isHealthy()} of its {@link #health()}. */
    public boolean isHealthy() {
        return health().isHealthy();
    }

    private boolean goesOn() {
        return stopping.getCount() > 0 && !shared.problems().isEnded();
    }

    private void receiveUntilStopped(ReceiveMessages<?> receiving) {
        try {
            while (goesOn()) {
                survive("receiving failed", () -> receive(receiving));
            }
        } finally {
            ended();
            queues.end();
            receiving.close();
        }
    }

    private void receive(ReceiveMessages<?> receiving) throws InterruptedException {
        givenUp.tell();
        try {
            receiving.runOnce(shared.waits().poll());
            shared.problems().brokerWorks();
        } catch (SourceException e) {
            long wait = shared.waits().broker().toMillis();
            shared.problems().brokerFailed(Failure.messageOf(e));
            log.warn("Consumer {}: {} Subscribing again in {} ms.", name, Failure.messageOf(e), wait);
            stopping.await(wait, TimeUnit.MILLISECONDS);
        }
    }

    private void handleUntilStopped(HandleNext<?> handling) {
        try {
            while (!queues.isEnded()) {
                survive("a worker failed", () -> {
                    if (!handling.runOnce()) {
                        queues.awaitWork(shared.clock().instant(), LOOK_AGAIN);
                    }
                });
            }
        } finally {
            ended();
        }
    }

    private interface Step {
        void run() throws InterruptedException;
    }

    /** Catches everything: a thread of the consumer must not end unnoticed while the process runs. */
    private void survive(String what, Step step) {
        // Clears an interrupt that a handler left behind; the consumer itself never interrupts its threads.
        Thread.interrupted();
        try {
            step.run();
        } catch (InterruptedException e) {
            log.debug("Consumer {}: interrupted, continuing.", name);
        } catch (Throwable e) {
            Defects.report(log, shared.problems(), name, what, e);
            LockSupport.parkNanos(shared.waits().broker().toNanos());
        }
    }

    /** The consumer does not work without any one of its threads: the others end too, and health reports it. */
    private void ended() {
        shared.problems()
                .end(stopping.getCount() == 0 ? "It was closed." : "One of its threads has ended: restart it.");
    }

    /**
     * Stops receiving, waits for running handlers (at most the grace time), acknowledges their messages and leaves the source. A
     * handler that calls it does not wait.
     */
    @Override
    public void close() {
        stopping.countDown();
        if (threads.contains(Thread.currentThread())) {
            return;
        }
        try {
            // The thread that receives waits for running handlers, and then leaves the source.
            threads.get(0).join(grace.plus(LEAVING).toMillis());
            // A handler that has not returned by then is not waited for. Threads without a handler end at once.
            Duration patience = queues.isAtWork() ? LOOK_AGAIN : LEAVING;
            long deadline = System.nanoTime() + patience.toNanos();
            for (Thread thread : threads) {
                thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
                if (thread.isAlive()) {
                    log.error(
                            "Consumer {}: thread {} did not end, with a grace time of {} ms; a handler does not return. Its"
                                    + " message is delivered again.",
                            name,
                            thread.getName(),
                            grace.toMillis());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
