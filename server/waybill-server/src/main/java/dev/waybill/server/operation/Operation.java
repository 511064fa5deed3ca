package dev.waybill.server.operation;

import dev.waybill.admin.Actor;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One change of many events or letters, while it is done and afterwards. Safe for use by many threads. */
public final class Operation implements Progress {
    private static final double NANOS = 1e9;

    /** Its state. */
    public enum State {
        RUNNING,
        DONE,
        CANCELLING,
        CANCELLED,
        FAILED;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * What is known of it at one time.
     *
     * @param skipped changed by somebody else meanwhile, or locked
     * @param left how long it takes from now on, if it goes on as it did
     */
    public record View(
            String id,
            Target target,
            Actor by,
            State state,
            long total,
            long done,
            long skipped,
            long failed,
            int rate,
            Instant startedAt,
            Optional<Instant> endedAt,
            Optional<Duration> left,
            Optional<String> error) {}

    private final String id;
    private final Target target;
    private final Actor by;
    private final long total;
    private final int rate;
    private final InstantSource clock;
    private final Runnable changed;
    private final Instant startedAt;
    private final long begun = System.nanoTime();
    private State state = State.RUNNING;
    private long done;
    private long skipped;
    private long failed;
    private long paced;
    private @Nullable Instant endedAt;
    private @Nullable String error;
    private @Nullable Actor canceller;
    private boolean finished;

    Operation(String id, Prepared prepared, Actor by, int rate, InstantSource clock, Runnable changed) {
        this.id = id;
        this.target = prepared.target();
        this.by = by;
        this.total = prepared.total();
        this.rate = rate;
        this.clock = clock;
        this.changed = changed;
        this.startedAt = clock.instant();
    }

    public String id() {
        return id;
    }

    /** Runs on the thread of the operation, until the end. */
    void run(Work work) {
        try {
            work.run(this, by);
            State how = finished();
            Actor who = cancelledBy();
            if (who != null) {
                work.cancelled(inWords(), who);
            }
            end(how, null);
        } catch (InterruptedException e) {
            end(State.CANCELLED, "The process was stopped.");
        } catch (RuntimeException e) {
            end(State.FAILED, String.valueOf(e.getMessage()));
        }
    }

    private void end(State how, @Nullable String why) {
        synchronized (this) {
            finished = true;
            state = how;
            error = why;
            endedAt = clock.instant();
        }
        changed.run();
    }

    /** It cannot be cancelled from now on. */
    private synchronized State finished() {
        finished = true;
        return state == State.RUNNING ? State.DONE : State.CANCELLED;
    }

    private synchronized @Nullable Actor cancelledBy() {
        return canceller;
    }

    /**
     * Stops it between two steps, unless it has ended.
     *
     * @param who for the audit, with what was done until then; null if the process stops
     */
    void cancel(@Nullable Actor who) {
        synchronized (this) {
            if (finished) {
                return;
            }
            if (canceller == null) {
                canceller = who;
            }
            state = State.CANCELLING;
            notifyAll();
        }
        changed.run();
    }

    @Override
    public synchronized boolean goesOn() {
        return state == State.RUNNING;
    }

    @Override
    public int rate() {
        return rate;
    }

    @Override
    public void add(int more, int moreSkipped, int moreFailed) {
        synchronized (this) {
            done += more;
            skipped += moreSkipped;
            failed += moreFailed;
        }
        changed.run();
    }

    @Override
    public synchronized boolean pace(int size) throws InterruptedException {
        paced += size;
        long due = begun + (long) (paced * NANOS / rate);
        for (long left = due - System.nanoTime(); left > 0 && state == State.RUNNING; left = due - System.nanoTime()) {
            wait(Math.max(1, left / 1_000_000));
        }
        return state == State.RUNNING;
    }

    /** For the audit. */
    synchronized String inWords() {
        return "operation " + id + ", " + target.action() + ": " + done + " of " + total + " done, " + skipped
                + " skipped, " + failed + " failed";
    }

    public synchronized View view() {
        long handled = done + skipped + failed;
        Optional<Duration> left = state == State.RUNNING && handled > 0
                ? Optional.of(Duration.ofNanos(
                        (long) ((double) (System.nanoTime() - begun) / handled * Math.max(0, total - handled))))
                : Optional.empty();
        return new View(
                id,
                target,
                by,
                state,
                total,
                done,
                skipped,
                failed,
                rate,
                startedAt,
                Optional.ofNullable(endedAt),
                left,
                Optional.ofNullable(error));
    }
}
