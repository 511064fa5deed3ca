package dev.waybill.spring.boot.store;

import dev.waybill.RelayDefaults;
import dev.waybill.spring.boot.properties.StoreType;

/** A store as the application uses it: what a transaction must be bound to, and what its tables look like. */
public interface OutboxSide {
    StoreType type();

    RelayDefaults relayDefaults();

    /** Where its events are, in messages. */
    String what();

    /** Whether the events of both are in the same table or collection. May ask the database. */
    boolean isSame(OutboxSide other);

    /** Whether it is in another database for each transaction, as the application's data source decides. */
    boolean isRouted();

    /** Creates what is missing: tables or indexes. */
    void createSchema();

    /** @throws UnusableStoreException if tables or indexes are missing or have another form */
    void validateSchema();
}
