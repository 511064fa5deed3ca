package dev.waybill.server.operation;

import dev.waybill.admin.Actor;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The operations of this process, those that run and the newest that have ended. Safe for use by many threads. */
public final class Operations implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Operations.class);

    private static final int MOST_KEPT = 100;

    /** On one store or destination: if it hangs, the others can still be operated. */
    private static final int MOST_RUNNING = 4;

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    private final InstantSource clock;
    private final Previews previews;
    private final Map<String, Running> operations = new LinkedHashMap<>();
    private volatile Consumer<Operation.View> listener = view -> {};
    private int count;
    private boolean closed;

    private record Running(Operation operation, Thread thread) {}

    public Operations(InstantSource clock) {
        this.clock = clock;
        this.previews = new Previews(clock);
    }

    /** @param told whenever an operation changes; must not wait */
    public void listen(Consumer<Operation.View> told) {
        listener = told;
    }

    /**
     * A change that was shown.
     *
     * @param token confirms it
     */
    public record Offer(String token, Instant until) {}

    /** @param who may confirm it */
    public Offer offer(String who, Prepared prepared) {
        return new Offer(previews.add(who, prepared), clock.instant().plus(Previews.VALID));
    }

    /** Empty if the token is unknown, used or expired, or belongs to another person. */
    public Optional<Prepared> find(String token, String who) {
        return previews.find(token, who);
    }

    /**
     * Starts what was offered. The token cannot be used again.
     *
     * @param rate per second at most
     * @return empty if the token is not valid any more
     * @throws TooManyOperationsException if too many run already, or the process stops; the token stays valid
     */
    public synchronized Optional<Operation.View> start(String token, Actor by, int rate) {
        Optional<Prepared> prepared = previews.find(token, by.who());
        if (prepared.isEmpty()) {
            return Optional.empty();
        }
        if (closed) {
            throw TooManyOperationsException.stopping();
        }
        String place = prepared.get().target().place();
        if (operations.values().stream()
                        .filter(Operations::isRunning)
                        .filter(each -> each.operation.view().target().place().equals(place))
                        .count()
                >= MOST_RUNNING) {
            throw TooManyOperationsException.on(place, MOST_RUNNING);
        }
        previews.take(token);
        forgetOldest();
        String id = Long.toString(clock.millis(), Character.MAX_RADIX) + "-" + ++count;
        Operation[] self = new Operation[1];
        Operation operation = new Operation(id, prepared.get(), by, rate, clock, () -> listener.accept(self[0].view()));
        self[0] = operation;
        // An ended thread may keep what it ran, with all its events.
        AtomicReference<@Nullable Work> work =
                new AtomicReference<>(prepared.get().work());
        Thread thread = new Thread(
                () -> operation.run(Objects.requireNonNull(work.getAndSet(null))), "waybill-operation-" + id);
        thread.setDaemon(true);
        thread.start();
        operations.put(id, new Running(operation, thread));
        return Optional.of(operation.view());
    }

    private static boolean isRunning(Running each) {
        return each.operation.view().endedAt().isEmpty();
    }

    private void forgetOldest() {
        List<String> ended = new ArrayList<>();
        operations.forEach((id, each) -> {
            if (!isRunning(each)) {
                ended.add(id);
            }
        });
        for (int i = 0; operations.size() >= MOST_KEPT && i < ended.size(); i++) {
            operations.remove(ended.get(i));
        }
    }

    /** Newest first. */
    public synchronized List<Operation.View> all() {
        List<Operation.View> all = new ArrayList<>();
        operations.values().forEach(each -> all.add(0, each.operation.view()));
        return all;
    }

    public synchronized Optional<Operation.View> find(String id) {
        return Optional.ofNullable(operations.get(id)).map(each -> each.operation.view());
    }

    /** Stops an operation between two steps; an ended one stays as it is. */
    public Optional<Operation.View> cancel(String id, Actor by) {
        Running found;
        synchronized (this) {
            found = operations.get(id);
        }
        if (found == null) {
            return Optional.empty();
        }
        found.operation.cancel(by);
        return Optional.of(found.operation.view());
    }

    /** Cancels all, and waits a while for their current steps: all together, since relays are stopped afterwards. */
    @Override
    public void close() {
        List<Running> running;
        synchronized (this) {
            closed = true;
            running = operations.values().stream().filter(Operations::isRunning).toList();
        }
        running.forEach(each -> each.operation.cancel(null));
        long deadline = System.nanoTime() + LONGEST_WAIT.toNanos();
        for (Running each : running) {
            try {
                each.thread.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
                if (each.thread.isAlive()) {
                    log.warn("The {} has not ended; its current step may still be done.", each.operation.inWords());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
