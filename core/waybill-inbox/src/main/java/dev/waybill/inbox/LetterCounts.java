package dev.waybill.inbox;

/**
 * Results for dead letters that were sent back or discarded. Each letter is counted once.
 *
 * @param done letters sent back or discarded
 * @param notThere letters that no longer existed
 * @param failed letters that could not be processed
 * @param notTried letters left when it was stopped or the broker was unavailable
 */
public record LetterCounts(int done, int notThere, int failed, int notTried) {

    /** Whether all were processed. */
    public boolean isAll() {
        return notThere == 0 && failed == 0 && notTried == 0;
    }
}
