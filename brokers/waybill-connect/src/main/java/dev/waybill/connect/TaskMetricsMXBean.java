package dev.waybill.connect;

/** What a task does, over JMX: {@code dev.waybill.connect:type=task,relay=…,store=…}. */
public interface TaskMetricsMXBean {
    /** RUNNING, STANDING_BY (another task has the lease, or the store is unavailable), BACKING_OFF (Connect) or STOPPED. */
    String getState();

    /** Why it is not running; empty if it is. */
    String getProblem();

    /** How long it has been failing without any progress; 0 while it works or is idle. */
    long getFailingForMillis();

    /** Events that Connect has committed. */
    long getPublished();

    /** Events that were given up and kept for an operator. */
    long getDead();

    /** Failed attempts that are repeated. */
    long getRetried();

    /** Events parked behind an earlier one of their key. */
    long getBehind();

    /** Events sent again although Connect may have sent them. */
    long getRepeats();

    /** How often the task took the lease. */
    long getSessions();
}
