package dev.waybill.relay;

/** The work of one session, in steps that the loop calls. One thread. */
interface Cycle {
    /** One step, complete in its effects. */
    CycleResult runOnce();

    /** Messages without an answer, as of the last cycle. */
    Outgoing.Unanswered unanswered();

    /** Aborts the messages in flight and sends nothing until all are answered. */
    void abort(String why);

    /**
     * A cycle of a relay that is stopping: sends nothing new.
     *
     * @return whether nothing is in flight and all events are settled or released
     */
    boolean finish();

    /** The session ends: messages without an answer are no longer waited for. */
    void abandon();
}
