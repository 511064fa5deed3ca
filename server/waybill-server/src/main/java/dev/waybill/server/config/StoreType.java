package dev.waybill.server.config;

import dev.waybill.admin.ReplayAdmin;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.spi.EventStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;

/** A kind of store, created from its section. A new kind needs a class here, its line in {@link #ALL}, and its keys in the schema. */
interface StoreType {
    List<StoreType> ALL = List.of(new JournalType(), new TableType(), new MongoType());

    /** Its {@code type} in the file. */
    String name();

    /** Whether several relays may read it, each getting every event. */
    boolean takesSeveralRelays();

    /** Whether its relays can deliver exactly once. */
    boolean savesWindows();

    /**
     * What its relays do unless the file says otherwise; empty if only the defaults of the schema apply.
     *
     * @param section without mistakes
     * @throws IllegalArgumentException if the section cannot be used
     */
    Optional<StoreDefaults> relayDefaults(Section section);

    /**
     * Connects to nothing yet.
     *
     * @param section without mistakes
     * @throws IllegalArgumentException if it cannot be used; the message says why
     */
    Supplier<OpenStore> read(Section section);

    /**
     * @param replays empty if the store has no replays
     * @param schema creates what it needs in its database
     * @param closing releases its resources; sessions of relays are closed before
     */
    record OpenStore(
            EventStore events, StoreAdmin admin, Optional<ReplayAdmin> replays, Schema schema, Runnable closing) {}

    /** What a store needs in its database: tables, or indexes. */
    interface Schema {
        /**
         * Creates what is missing, and leaves the rest as it is.
         *
         * @return a description of what exists now
         */
        String create() throws SQLException;

        static Schema on(DataSource dataSource, Creation creation) {
            return () -> {
                try (Connection connection = dataSource.getConnection()) {
                    return creation.on(connection);
                }
            };
        }
    }

    /** Creates what is missing over this connection. */
    interface Creation {
        String on(Connection connection) throws SQLException;
    }

    static StoreType of(Section section) {
        return ALL.stream()
                .filter(type -> type.name().equals(section.text("type")))
                .findFirst()
                .orElseThrow();
    }
}
