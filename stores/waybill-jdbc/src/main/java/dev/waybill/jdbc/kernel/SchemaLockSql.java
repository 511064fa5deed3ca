package dev.waybill.jdbc.kernel;

/** How DDL on PostgreSQL keeps out of everybody's way: one process makes a schema at a time, and none waits long for a lock. */
public final class SchemaLockSql {
    private SchemaLockSql() {}

    /** Whoever waited for the lock must see what was made meanwhile, whatever isolation the database has by default. */
    public static final String SEE_WHAT_OTHERS_COMMIT = "set transaction isolation level read committed";

    /** Others wait behind a lock that is asked for, so it is given up when it does not come at once. Until the transaction ends. */
    public static final String ASK_BRIEFLY = "set local lock_timeout = '200ms'";

    /** Before a lock that did not come is asked for again. */
    public static final String PAUSE = "select pg_sleep(0.5)";

    public static final String LOCK_NOT_AVAILABLE = "55P03";

    /** One process at a time, until its transaction ends. */
    public static final String LOCK_SCHEMA = "select pg_advisory_xact_lock(hashtext('waybill schema'))";
}
