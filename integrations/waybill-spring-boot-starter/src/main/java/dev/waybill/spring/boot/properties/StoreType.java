package dev.waybill.spring.boot.properties;

/** The kinds of stores. */
public enum StoreType {
    /** The journal of PostgreSQL 14 and later. Any number of relays may read it. */
    POSTGRES_JOURNAL(true),
    /** An outbox table on PostgreSQL, MariaDB or H2. One relay reads it. */
    TABLE(false),
    /** An outbox collection in MongoDB. One relay reads it. */
    MONGODB(false);

    private final boolean severalRelays;

    StoreType(boolean severalRelays) {
        this.severalRelays = severalRelays;
    }

    /** Whether several relays may read it, each getting every event. */
    public boolean takesSeveralRelays() {
        return severalRelays;
    }
}
