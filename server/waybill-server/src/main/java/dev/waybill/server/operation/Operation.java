package dev.waybill.server.operation;

import dev.waybill.admin.Actor;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One change of many events or letters, while it is done and afterwards. Safe for use by many threads. */
public final class Operation implements Progress {
    private static final Logger log = LoggerFactory.getLogger(Operation.class);

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
     * @param totalExact false if counting stopped at the total, and all that match are changed
     * @param skipped changed by somebody else meanwhile, or locked
     * @param unknown whether they were changed is unknown, because the answer to their step was lost
     * @param left how long it takes from now on, if it goes on as it did
     */
    public record View(
            String id,
            Target target,
            Actor by,
            State state,
            long total,
            boolean totalExact,
            long done,
            long skipped,
            long failed,
            long unknown,
            int rate,
            Instant startedAt,
            Optional<Instant> endedAt,
            Optional<Duration> left,
            Optional<String> error) {}

    private final String id;
    private final Target target;
    private final Actor by;
    private final long total;
    private final boolean totalExact;
    private final int rate;
    private final InstantSource clock;
    private final Runnable changed;
    private final Instant startedAt;
    private final long begun = System.nanoTime();
    private final Pace pace;
    private State state = State.RUNNING;
    private long done;
    private long skipped;
    private long failed;
    private long unknown;
    private @Nullable Instant endedAt;
    private @Nullable String error;
    private @Nullable Actor canceller;
    private String remark = "";
    private boolean finished;

    Operation(String id, Prepared prepared, Actor by, int rate, InstantSource clock, Runnable changed) {
        this.id = id;
        this.target = prepared.target();
        this.by = by;
        this.total = prepared.total();
        this.totalExact = prepared.work().hasExactTotal();
        this.rate = rate;
        this.clock = clock;
        this.changed = changed;
        this.startedAt = clock.instant();
        this.pace = new Pace(rate, begun);
    }

    public String id() {
        return id;
    }

    /** Runs on the thread of the operation, until the end. */
    void run(Work work) {
        State how;
        String why = "";
        try {
            work.run(this, by);
            how = finished();
        } catch (InterruptedException e) {
            how = State.CANCELLED;
            why = "The process was stopped.";
        } catch (RuntimeException e) {
            how = State.FAILED;
            why = String.valueOf(e.getMessage());
        } catch (Error e) {
            log.error("The {} failed.", inWords(), e);
            how = State.FAILED;
            why = e.toString();
        }
        finished();
        end(how, (orRemark(why) + inDoubt(work) + unnoted(work)).strip());
    }

    private synchronized String inDoubt(Work work) {
        return unknown == 0 ? "" : " " + work.inDoubt(unknown);
    }

    /** Records that it was cancelled; what could not be recorded is returned. */
    private String unnoted(Work work) {
        Actor who = cancelledBy();
        if (who == null) {
            return "";
        }
        try {
            work.cancelled(inWords(), who);
            return "";
        } catch (RuntimeException | Error e) {
            log.warn("That {} cancelled the {} could not be written to the audit.", who.who(), inWords(), e);
            return " That " + who.who() + " cancelled it could not be written to the audit: " + e.getMessage();
        }
    }

    private void end(State how, String why) {
        synchronized (this) {
            finished = true;
            state = how;
            error = why.isEmpty() ? null : why;
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
    public synchronized void remark(String words) {
        remark = words;
    }

    private synchronized String orRemark(String why) {
        return why.isEmpty() ? remark : why;
    }

    @Override
    public void unknown(int some) {
        synchronized (this) {
            unknown += some;
        }
        changed.run();
    }

    @Override
    public synchronized boolean pace(int size) throws InterruptedException {
        long due = pace.beginning(size, System.nanoTime());
        for (long left = due - System.nanoTime(); left > 0 && state == State.RUNNING; left = due - System.nanoTime()) {
            wait(Math.max(1, left / 1_000_000));
        }
        return state == State.RUNNING;
    }

    /** For the audit. */
    synchronized String inWords() {
        return "operation " + id + ", " + target.action() + ": " + done + (totalExact ? " of " + total : "") + " done, "
                + skipped + " skipped, " + failed + " failed" + (unknown == 0 ? "" : ", " + unknown + " unknown");
    }

    public synchronized View view() {
        long handled = done + skipped + failed + unknown;
        Optional<Duration> left = state == State.RUNNING && handled > 0 && totalExact
                ? Optional.of(Duration.ofNanos(
                        (long) ((double) (System.nanoTime() - begun) / handled * Math.max(0, total - handled))))
                : Optional.empty();
        return new View(
                id,
                target,
                by,
                state,
                total,
                totalExact,
                done,
                skipped,
                failed,
                unknown,
                rate,
                startedAt,
                Optional.ofNullable(endedAt),
                left,
                Optional.ofNullable(error));
    }
}
