package dev.waybill.inbox;

/**
 * Results for dead letters that were sent back or discarded. Each letter is counted once.
 *
 * @param done how many were sent back, or discarded
 * @param notThere how many were not there any more
 * @param failed how many could not be processed
 * @param notTried how many were left when it was stopped or the broker was unavailable
 */
public record LetterCounts(int done, int notThere, int failed, int notTried) {

    /** Whether all were processed. */
    public boolean isAll() {
        return notThere == 0 && failed == 0 && notTried == 0;
    }
}
