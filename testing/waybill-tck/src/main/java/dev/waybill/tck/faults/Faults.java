package dev.waybill.tck.faults;

import dev.waybill.tck.faults.FaultInjection.Answer;
import java.util.Optional;
import java.util.function.Supplier;

/** Counts calls once it is armed, and decides which one fails. One call fails, or two for some failures. Thread-safe. */
public final class Faults {
    private boolean armed;
    private int failing;
    private Failure how = Failure.BEFORE;
    private Answer answer = Answer.MAY_PASS;
    private Runnable meanwhile = () -> {};
    private int calls;
    private boolean struck;
    private String struckAt = "no call";
    private Optional<String> counted = Optional.empty();

    /**
     * Counts only calls of this name. Where several threads make calls, the number of one call among all is different in
     * every run; its number among those of its own name is not.
     */
    public synchronized Faults countOnly(String what) {
        counted = Optional.of(what);
        return this;
    }

    /**
     * From now on calls are counted.
     *
     * @param call number of the call that fails, 1 for the first
     * @param meanwhile what happens while a call hangs
     */
    public synchronized void arm(int call, Failure failure, Runnable meanwhile) {
        arm(call, failure, Answer.MAY_PASS, meanwhile);
    }

    /** @param error what a call that fails {@link Failure#BEFORE} is answered with */
    public synchronized void arm(int call, Failure failure, Answer error, Runnable meanwhile) {
        this.answer = error;
        this.failing = call;
        this.how = failure;
        this.meanwhile = meanwhile;
        this.armed = true;
        this.calls = 0;
        this.struck = false;
        this.struckAt = "no call";
    }

    /** Stops counting and failing calls. */
    public synchronized void disarm() {
        armed = false;
    }

    /** Performs an action whose calls are neither counted nor fail. */
    public <T> T without(Supplier<T> work) {
        boolean before = arm(false);
        try {
            return work.get();
        } finally {
            arm(before);
        }
    }

    private synchronized boolean arm(boolean now) {
        boolean before = armed;
        armed = now;
        return before;
    }

    /** Whether the call to fail was made. */
    public synchronized boolean struck() {
        return struck;
    }

    /** The error with which the failing call is answered. */
    public synchronized Answer answer() {
        return answer;
    }

    /** Number of calls since it was armed. */
    public synchronized int calls() {
        return calls;
    }

    /** Which call failed. */
    public synchronized String struckAt() {
        return struckAt;
    }

    /**
     * Counts a call that is about to be made. A call that should hang blocks in this method and then continues.
     *
     * @param what names the call
     * @return how it fails; empty if it does not
     */
    public Optional<Failure> next(String what) {
        Optional<Failure> failure = strike(what);
        if (failure.filter(how -> how == Failure.STALL).isPresent()) {
            hang().run();
            return Optional.empty();
        }
        return failure;
    }

    private synchronized Runnable hang() {
        return meanwhile;
    }

    /**
     * Counts a call that is about to be made.
     *
     * @param what names the call
     * @return how it fails or that it hangs; empty if neither
     */
    public synchronized Optional<Failure> strike(String what) {
        if (!armed || !counted.map(what::equals).orElse(true)) {
            return Optional.empty();
        }
        calls++;
        boolean again = how == Failure.ERROR_TWICE && calls == failing + 1;
        if (calls != failing && !again) {
            return Optional.empty();
        }
        struckAt = again ? struckAt + " and " + what : what;
        struck = true;
        return Optional.of(how);
    }
}
