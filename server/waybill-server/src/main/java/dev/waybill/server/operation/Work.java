package dev.waybill.server.operation;

import dev.waybill.admin.Actor;

/** The change itself. */
public interface Work {
    /**
     * Does everything in steps, and stops between two of them when it is cancelled.
     *
     * @throws RuntimeException if it fails; what is done stays done
     */
    void run(Progress progress, Actor by) throws InterruptedException;

    /** Records that the operation was cancelled, after its last step. */
    default void cancelled(String progress, Actor by) {}
}
