package dev.waybill.relay;

import dev.waybill.admin.StoreAdmin;
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
 * A relay that runs in this process, on a thread of its own. Any number of processes may run a relay of the same name: one
 * works, the others stand by and take over when its lease ends.
 *
 * <pre>{@code
 * try (Relay relay = Relay.start(RelayPlan.named("orders").from(journal).to(kafka))) {
 *     …
 * }
 * }</pre>
 */
public final class Relay implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Relay.class);

    private final RelayPlan plan;
    private final RunUntilStopped loop;
    private final Thread thread;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Relay(RelayPlan plan, DestinationOwner owner, LongSupplier nanoTime) {
        this.plan = plan;
        this.loop = new RunUntilStopped(plan, OwnerId.unique(processName()), InstantSource.system(), nanoTime);
        this.thread = RelayThread.of("relay", plan.name(), () -> {
            try (owner) {
                loop.run();
            }
        });
    }

    /**
     * @throws IllegalStateException when the plan's destination is in use by another relay, a replay or a consumer
     */
    public static Relay start(RelayPlan plan) {
        return start(plan, System::nanoTime);
    }

    /** @param nanoTime the monotonic clock, by which it is known how long the relay has been failing */
    static Relay start(RelayPlan plan, LongSupplier nanoTime) {
        DestinationOwner owner = DestinationOwner.take(plan.destination(), "relay " + plan.name());
        try {
            Relay relay = new Relay(plan, owner, nanoTime);
            relay.thread.start();
            return relay;
        } catch (RuntimeException | Error e) {
            owner.close();
            throw e;
        }
    }

    /** Deletes what is older than the plan's retention, while this relay runs. Does nothing without a retention. */
    public static AutoCloseable startRetention(RelayPlan plan, StoreAdmin admin) {
        return PurgeNowAndThen.start(plan, admin);
    }

    /** Something was appended in this process, and its transaction is about to commit: look soon. */
    public void wakeUp() {
        loop.wakeUp();
    }

    /** Whether its loop goes on. It does until this is closed, whatever fails; unless somebody interrupts its thread. */
    public boolean isAlive() {
        return thread.isAlive();
    }

    /**
     * How long it has been failing without getting anything done, whatever fails: the store, the destination or the relay
     * itself; or when all it sends is in doubt. Nothing while it works, has nothing to do, or stands by for another process.
     */
    public Optional<Duration> failingFor() {
        return loop.failingFor();
    }

    public RelayStatistics statistics() {
        return loop.statistics();
    }

    /** Sends nothing more, waits for what is out (at most the grace time), saves the position and gives the lease back. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        loop.stop();
        Duration patience = plan.options().grace().plusSeconds(30);
        try {
            thread.join(patience.toMillis());
            if (thread.isAlive()) {
                log.error(
                        "Relay {}: its thread did not end within {} s; its lease runs out by itself and another process takes"
                                + " over.",
                        plan.name(),
                        patience.toSeconds());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String processName() {
        return "pid " + ProcessHandle.current().pid();
    }
}
