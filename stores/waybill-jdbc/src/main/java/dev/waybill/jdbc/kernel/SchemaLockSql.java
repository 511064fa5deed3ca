package dev.waybill.jdbc.kernel;

/** Locks for DDL on PostgreSQL: one process changes the schema at a time, and none waits long for a table lock. */
public final class SchemaLockSql {
    private SchemaLockSql() {}

    /** After waiting for the lock, a process must see what others created, whatever the default isolation. */
    public static final String SEE_WHAT_OTHERS_COMMIT = "set transaction isolation level read committed";

    /** Other sessions queue behind a waiting lock request, so it times out quickly. Until the transaction ends. */
    public static final String ASK_BRIEFLY = "set local lock_timeout = '200ms'";

    /** Pause before the lock is requested again. */
    public static final String PAUSE = "select pg_sleep(0.5)";

    public static final String LOCK_NOT_AVAILABLE = "55P03";

    /** One process at a time, until its transaction ends. */
    public static final String LOCK_SCHEMA = "select pg_advisory_xact_lock(hashtext('waybill schema'))";
}
