package dev.waybill.server.config;

import dev.waybill.admin.ReplayAdmin;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.spi.EventStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;

/** A kind of store: its keys, and how a store is made of them. A new kind is a new class here and its line in {@link #ALL}. */
interface StoreType {
    List<StoreType> ALL = List.of(new JournalType(), new TableType(), new MongoType());

    /** As the file calls it. */
    String name();

    /** For the reference page. */
    String doc();

    Block block();

    /** Whether relays of different names each get every event. */
    boolean takesSeveralRelays();

    /**
     * Connects to nothing yet.
     *
     * @param section without mistakes
     * @throws IllegalArgumentException when it cannot be used; the message says why
     */
    Supplier<OpenStore> read(Section section);

    /**
     * @param replays sends again what was appended before, where the store can
     * @param schema makes what it needs in its database
     * @param closing lets go of what it holds by itself; relays' sessions are closed before
     */
    record OpenStore(
            EventStore events, StoreAdmin admin, Optional<ReplayAdmin> replays, Schema schema, Runnable closing) {}

    /** What a store needs in its database: tables, or indexes. */
    interface Schema {
        /**
         * Makes what is missing, and leaves the rest as it is.
         *
         * @return what is there now, for a person
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

    /** Makes what is missing over this connection. */
    interface Creation {
        String on(Connection connection) throws SQLException;
    }

    static Variants variants() {
        Map<String, Block> byType = new LinkedHashMap<>();
        ALL.forEach(type -> byType.put(type.name(), type.block()));
        return new Variants(byType);
    }

    static StoreType of(Section section) {
        return ALL.stream()
                .filter(type -> type.block().equals(section.block()))
                .findFirst()
                .orElseThrow();
    }
}
