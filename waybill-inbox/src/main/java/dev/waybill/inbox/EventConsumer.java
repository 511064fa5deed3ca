package dev.waybill.inbox;

import dev.waybill.spi.DestinationOwner;
import dev.waybill.spi.SourceException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A consumer that runs in this process, on threads of its own. Any number of processes may run the same consumer: the broker
 * shares the messages out among them, and the inbox makes each effect happen once.
 *
 * <pre>{@code
 * try (EventConsumer consumer = EventConsumer.start(plan)) {
 *     …
 * }
 * }</pre>
 */
public final class EventConsumer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(EventConsumer.class);
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);
    private static final Duration BROKER_WAIT = Duration.ofSeconds(1);

    private final DestinationOwner deadLetters;
    private final String name;
    private final Duration grace;
    private final KeyQueues queues = new KeyQueues();
    private final ConsumerStatistics statistics = new ConsumerStatistics();
    private final InstantSource clock = InstantSource.system();
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final AtomicBoolean closed = new AtomicBoolean();
    private final List<Thread> threads = new ArrayList<>();

    private <T> EventConsumer(ConsumerPlan<T> plan, DestinationOwner deadLetters) {
        this.deadLetters = deadLetters;
        this.name = plan.name;
        this.grace = plan.options.grace();
        ReceiveMessages<T> receiving = new ReceiveMessages<>(plan, queues, statistics);
        threads.add(new Thread(() -> receiveUntilStopped(receiving), "waybill-consumer-" + name));
        HandleNext<T> handling = new HandleNext<>(plan, queues, statistics, clock);
        for (int worker = 1; worker <= plan.options.workers(); worker++) {
            threads.add(new Thread(() -> handleUntilStopped(handling), "waybill-consumer-" + name + "-" + worker));
        }
    }

    /**
     * @throws IllegalStateException when the plan's destination for dead letters is in use by another consumer or a relay
     */
    public static <T> EventConsumer start(ConsumerPlan<T> plan) {
        DestinationOwner owner = DestinationOwner.take(plan.deadLetters, "consumer " + plan.name);
        EventConsumer consumer;
        try {
            consumer = new EventConsumer(plan, owner);
        } catch (RuntimeException | Error e) {
            owner.close();
            throw e;
        }
        consumer.threads.forEach(Thread::start);
        return consumer;
    }

    public ConsumerStatistics statistics() {
        return statistics;
    }

    private void receiveUntilStopped(ReceiveMessages<?> receiving) {
        try {
            while (stopping.getCount() > 0) {
                receive(receiving);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            queues.end();
            receiving.close();
        }
    }

    private void receive(ReceiveMessages<?> receiving) throws InterruptedException {
        try {
            receiving.runOnce(POLL);
        } catch (SourceException e) {
            log.warn("Consumer {}: {} Subscribing anew in {} ms.", name, e.getMessage(), BROKER_WAIT.toMillis());
            stopping.await(BROKER_WAIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RuntimeException | Error e) {
            // An Error too: this thread must not end unseen while the process goes on.
            log.error("Consumer {}: a defect. Going on in {} ms.", name, BROKER_WAIT.toMillis(), e);
            stopping.await(BROKER_WAIT.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void handleUntilStopped(HandleNext<?> handling) {
        try {
            while (!queues.isEnded()) {
                if (!handling.runOnce()) {
                    queues.awaitWork(clock.instant(), LOOK_AGAIN);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Begins nothing more, finishes what is at work (at most the grace time), acknowledges it and leaves. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        stopping.countDown();
        long deadline = System.nanoTime() + grace.plusSeconds(30).toNanos();
        try {
            for (Thread thread : threads) {
                thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
                if (thread.isAlive()) {
                    log.error("Consumer {}: {} did not end; a handler does not come back.", name, thread.getName());
                }
            }
            if (threads.stream().noneMatch(Thread::isAlive)) {
                deadLetters.close();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
