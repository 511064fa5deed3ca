package dev.waybill.server.operation;

/** How far an operation is, and how fast it may go on. */
public interface Progress {
    /** False once it is cancelled. */
    boolean goesOn();

    /** Events or letters per second at most. */
    int rate();

    /** Adds to the counts. */
    void add(int done, int skipped, int failed);

    /**
     * Waits until the next step may begin, so that the rate is kept.
     *
     * @param size of the step that was just done
     * @return false if it is cancelled
     */
    boolean pace(int size) throws InterruptedException;
}
