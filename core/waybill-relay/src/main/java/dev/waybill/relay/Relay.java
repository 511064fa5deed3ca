package dev.waybill.relay;

import dev.waybill.RelayName;
import dev.waybill.spi.DestinationOwner;
import dev.waybill.spi.OwnerId;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A relay that runs in this process, on its own thread. Any number of processes may run a relay of the same name: one
 * works, the others stand by and take over when its lease ends.
 *
 * <pre>{@code
 * try (Relay relay = Relay.named("orders").from(journal).to(kafka).start()) {
 *     …
 * }
 * }</pre>
 */
public final class Relay implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Relay.class);

    private final RelayPlan plan;
    private final RunUntilStopped loop;
    private final Thread thread;
    private final Runnable wake;
    private final Retention.Share retention;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Relay(RelayPlan plan, DestinationOwner owner, LongSupplier nanoTime) {
        this.plan = plan;
        this.loop = new RunUntilStopped(plan, owner(plan), InstantSource.system(), nanoTime);
        this.thread = RelayThread.of("relay", plan.name(), () -> {
            try (owner) {
                loop.run();
            }
        });
        this.wake = loop::wakeUp;
        try {
            this.retention = Retention.start(plan);
        } catch (Throwable e) {
            loop.leaveGroup();
            throw e;
        }
    }

    private static OwnerId owner(RelayPlan plan) {
        return plan.group().map(RelayGroup::process).orElseGet(() -> OwnerId.unique(processName()));
    }

    /**
     * Begins a plan: {@code Relay.named("orders").from(journal).to(kafka).start()}.
     *
     * @param name the same in every process that may run this relay
     */
    public static RelayPlan.Named named(String name) {
        return new RelayPlan.Named(new RelayName(name));
    }

    /** @param nanoTime the monotonic clock that measures how long the relay has been failing */
    static Relay start(RelayPlan plan, LongSupplier nanoTime) {
        DestinationOwner owner = DestinationOwner.take(plan.destination(), "relay " + plan.name());
        try {
            Relay relay = new Relay(plan, owner, nanoTime);
            relay.start();
            return relay;
        } catch (Throwable e) {
            owner.close();
            throw e;
        }
    }

    private void start() {
        try {
            thread.start();
        } catch (Throwable e) {
            loop.leaveGroup();
            retention.close();
            throw e;
        }
        plan.wake().ifPresent(signal -> signal.add(wake));
    }

    public RelayName name() {
        return plan.name();
    }

    /** Polls soon, because an event was appended in this process and its transaction is about to commit. */
    void wakeUp() {
        loop.wakeUp();
    }

    /** Whether its thread runs. It does until {@link #close}, whatever fails, unless the thread is interrupted. */
    public boolean isAlive() {
        return thread.isAlive();
    }

    /**
     * How long the relay has been failing without any progress, because of the store, the destination or a defect, or because
     * everything it sends is in doubt. Empty while it works, is idle, or stands by for another process.
     */
    public Optional<Duration> failingFor() {
        return loop.failingFor();
    }

    public RelayStatistics statistics() {
        return loop.statistics();
    }

    /** Stops publishing, waits for what is in flight (at most the grace time), saves the position and releases the lease. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            plan.wake().ifPresent(signal -> signal.remove(wake));
            retention.close();
            loop.stop();
        }
        if (Thread.currentThread() == thread) {
            // A listener closes it, and the thread ends after this turn.
            return;
        }
        Duration patience = plan.options().grace().plusSeconds(30);
        try {
            thread.join(patience.toMillis());
            if (thread.isAlive()) {
                log.error(
                        "Relay {}: its thread did not end within {} s; its lease expires, and then another process takes"
                                + " over.",
                        plan.name(),
                        patience.toSeconds());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        RelayStatistics statistics = statistics();
        RelayStatistics.State state = statistics.state();
        return "Relay[" + plan.name() + " " + state.phase()
                + state.problem().map(problem -> " (" + problem + ")").orElse("") + ", " + statistics.published()
                + " published, " + statistics.retried() + " retried, " + statistics.dead() + " dead]";
    }

    static String processName() {
        return "pid " + ProcessHandle.current().pid();
    }
}
