package dev.waybill.spring.boot.store;

import dev.waybill.RelayDefaults;
import dev.waybill.spring.boot.properties.StoreType;

/** A store as the application uses it: what a transaction must be bound to, and what its tables look like. */
public interface OutboxSide {
    StoreType type();

    RelayDefaults relayDefaults();

    /** Creates what is missing: tables or indexes. */
    void createSchema();

    /** @throws SchemaMissingException if tables or indexes are missing or have another form */
    void validateSchema();
}
