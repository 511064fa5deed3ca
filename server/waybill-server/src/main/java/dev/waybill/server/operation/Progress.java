package dev.waybill.server.operation;

/** How far an operation is, and how fast it may go on. */
public interface Progress {
    /** False once it is cancelled. */
    boolean goesOn();

    /** Events or letters per second at most. */
    int rate();

    /** Adds to the counts. */
    void add(int done, int skipped, int failed);

    /** What to tell at the end even if it does not fail, such as why some were refused. */
    void remark(String words);

    /** Adds those of a step that failed so that it is unknown whether they were changed. */
    void unknown(int some);

    /**
     * Waits until the next step may begin, so that the rate is kept.
     *
     * @param size of the step that is about to begin
     * @return false if it is cancelled
     */
    boolean pace(int size) throws InterruptedException;
}
