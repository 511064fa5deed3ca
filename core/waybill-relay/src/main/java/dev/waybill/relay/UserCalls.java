package dev.waybill.relay;

import dev.waybill.RelayName;
import dev.waybill.relay.RelayStatistics.Phase;
import dev.waybill.spi.Printable;
import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.support.UserCode;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The calls of application code on a relay's thread, one after the other. The relay's thread makes them; other threads look which
 * one it is in, and how long it has been in it.
 */
final class UserCalls {
    /** A call that has not returned for this long is logged. */
    static final Duration LONG = Duration.ofSeconds(5);
    /** Time between two looks. */
    static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

    private static final Logger log = LoggerFactory.getLogger(UserCalls.class);

    private final RelayName relay;
    private final Duration leaseKept;
    private final LongSupplier nanoTime;
    private final UserCode guard;
    private final RelayStatistics statistics;
    private final FailureStreak failures;
    /** Odd during a call. Written after what describes the call, and read before it. */
    private final AtomicLong number = new AtomicLong();

    private Kind kind = Kind.ROUTE;
    private Object code = "";
    private @Nullable StoredEvent event;
    private volatile boolean stopping;

    private long seen;
    private long seenAt;
    private Optional<InCall> told = Optional.empty();

    /** What is called. */
    enum Kind {
        ROUTE("route"),
        FORMAT("format"),
        LISTENER("listener"),
        DESTINATION("destination");

        private final String role;

        Kind(String role) {
            this.role = role;
        }

        String role() {
            return role;
        }
    }

    /**
     * A call that has not returned.
     *
     * @param words kind and class of the code, and the event
     */
    record InCall(long number, Kind kind, String words) {}

    /** @param nanoTime the monotonic clock */
    UserCalls(RelayPlan plan, RelayStatistics statistics, FailureStreak failures, LongSupplier nanoTime) {
        this.relay = plan.name();
        this.leaseKept = plan.options().inFlight().timeout();
        this.statistics = statistics;
        this.failures = failures;
        this.nanoTime = nanoTime;
        this.guard = new UserCode(nanoTime, (words, thrown) -> log.error("Relay {}: {}", relay, words, thrown));
    }

    /** Makes a call whose failure the caller handles. */
    <R> R in(Kind called, Object of, @Nullable StoredEvent about, Supplier<R> call) {
        begin(called, of, about);
        try {
            return call.get();
        } finally {
            end();
            guard.returned(called.role, of, about == null ? "" : about.id());
        }
    }

    /** Makes a call of a listener. Whatever it throws has no effect. */
    void listener(RelayListener of, Runnable call) {
        begin(Kind.LISTENER, of, null);
        try {
            guard.run(Kind.LISTENER.role, of, call);
        } finally {
            end();
        }
    }

    private void begin(Kind called, Object of, @Nullable StoredEvent about) {
        kind = called;
        code = of;
        event = about;
        number.setRelease(number.getPlain() + 1);
    }

    private void end() {
        number.setRelease(number.getPlain() + 1);
        // What describes the next call must not be seen with the number of this one.
        VarHandle.storeStoreFence();
    }

    /** The call that the relay's thread is in. Any thread. */
    Optional<InCall> current() {
        long before = number.getAcquire();
        Kind called = kind;
        Object of = code;
        @Nullable StoredEvent about = event;
        VarHandle.loadLoadFence();
        if (before % 2 == 0 || number.getAcquire() != before) {
            return Optional.empty();
        }
        String words = "the " + UserCode.name(called.role, of)
                + (about == null ? "" : " with event " + Printable.of(about.id()));
        return Optional.of(new InCall(before, called, words));
    }

    /** The relay is stopping: from now on a listener that blocks keeps the lease no longer than other code. */
    void stop() {
        stopping = true;
    }

    /** Whether the relay's thread is in a listener. The lease is kept then: for another process nothing would be better. */
    boolean keepsLease() {
        return !stopping && current().filter(call -> call.kind == Kind.LISTENER).isPresent();
    }

    /** Logs a call that has not returned for long, and shows it in the relay's state. Any thread, about once a second. */
    synchronized void look() {
        long now = nanoTime.getAsLong();
        Optional<InCall> call = current();
        if (call.isEmpty() || call.get().number != seen) {
            returned();
            seen = call.map(InCall::number).orElse(0L);
            seenAt = now;
        } else if (told.isEmpty() && now - seenAt >= LONG.toNanos()) {
            told = call;
            blocked(call.get());
        }
    }

    private void blocked(InCall call) {
        String problem = problem(call);
        log.error(
                "Relay {}: {}. The relay waits for it and publishes nothing meanwhile. {}",
                relay,
                problem,
                call.kind == Kind.LISTENER
                        ? "It keeps its lease."
                        : "After " + leaseKept.toSeconds()
                                + " s it gives up its lease, so that another process can take over.");
        statistics.is(Phase.RUNNING, problem);
        failures.failed();
    }

    private static String problem(InCall call) {
        return call.words + " has not returned for " + LONG.toSeconds() + " s";
    }

    private void returned() {
        told.ifPresent(call -> {
            log.warn("Relay {}: {} has returned; the relay goes on.", relay, call.words);
            if (statistics.state().problem().equals(Optional.of(problem(call)))) {
                statistics.is(Phase.RUNNING);
            }
        });
        told = Optional.empty();
    }

    /** Logs what is not logged yet. */
    void tellRest() {
        guard.tellRest();
    }
}
