package dev.waybill.inbox;

/**
 * What became of dead letters that were to be dealt with. Each is counted once.
 *
 * @param done how many were sent back, or discarded
 * @param notThere how many were not there any more
 * @param failed how many could not be dealt with
 * @param notTried how many were left when it was stopped, or the broker was away
 */
public record LetterCounts(int done, int notThere, int failed, int notTried) {

    /** Whether all were dealt with. */
    public boolean isAll() {
        return notThere == 0 && failed == 0 && notTried == 0;
    }
}
