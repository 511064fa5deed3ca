package dev.waybill.tck.faults;

import dev.waybill.tck.faults.FaultInjection.Answer;
import java.util.Optional;
import java.util.function.Supplier;

/** Counts calls from the moment it is armed, and says which one is to fail. One fails, unless it is to be two. Thread-safe. */
public final class Faults {
    private boolean armed;
    private int failing;
    private Failure how = Failure.BEFORE;
    private Answer answer = Answer.MAY_PASS;
    private Runnable meanwhile = () -> {};
    private int calls;
    private boolean struck;
    private String struckAt = "no call";

    /**
     * From now on calls are counted.
     *
     * @param call which one fails, 1 for the first
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

    /** From now on nothing fails and nothing is counted. */
    public synchronized void disarm() {
        armed = false;
    }

    /** Does what does not count and does not fail. */
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

    /** Whether the call that was to fail was made. */
    public synchronized boolean struck() {
        return struck;
    }

    /** What the call that fails is answered with. */
    public synchronized Answer answer() {
        return answer;
    }

    /** How many calls were made since it was armed. */
    public synchronized int calls() {
        return calls;
    }

    /** Which call failed. */
    public synchronized String struckAt() {
        return struckAt;
    }

    /**
     * Counts a call that is about to be made. A call that is to hang does so in here, and then goes on.
     *
     * @param what names the call
     * @return how it fails; nothing when it does not
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
     * @return how it fails, or that it is to hang; nothing when neither
     */
    public synchronized Optional<Failure> strike(String what) {
        if (!armed) {
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
