package dev.waybill.server.operation;

import dev.waybill.admin.Actor;
import dev.waybill.spi.Counted;

/** The change itself. */
public interface Work {
    /**
     * Does everything in steps, and stops between two of them when it is cancelled.
     *
     * @throws RuntimeException if it fails; what is done stays done
     */
    void run(Progress progress, Actor by) throws InterruptedException;

    /** How many events or letters it keeps in memory until it runs. */
    default int held() {
        return 0;
    }

    /** False if its total is only what was counted: it changes all that match, however many. */
    default boolean hasExactTotal() {
        return true;
    }

    /** What to tell of changes whose outcome is unknown. */
    default String inDoubt(long unknown) {
        return "Whether " + Counted.of(unknown, "event")
                + " of the last step were changed is unknown; the audit of the store tells.";
    }

    /** Records that the operation was cancelled, after its last step. */
    default void cancelled(String progress, Actor by) {}
}
