package dev.waybill.spi;

import dev.waybill.RelayName;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The processes that run relays of a store and share them evenly. Each announces itself in the store, whether it holds a lease
 * or not. Safe for use by many threads.
 */
public interface ProcessRegister {
    /**
     * Processes whose announcement is valid, in the order of their ids.
     *
     * @throws StoreException if the store is unavailable
     */
    List<Entry> processes();

    /**
     * What these processes report of their relays, ordered by relay and process; none if the schema of the store is older than reports.
     *
     * @throws StoreException if the store is unavailable
     */
    List<RelayReport> reports();

    /** For one process. Connects with its first call, over a connection that nothing else uses. */
    Registration register();

    /** The announcements of one process. One thread at a time. After a {@link StoreException} it can be used again. */
    interface Registration extends AutoCloseable {
        /**
         * Replaces the announcement of this process.
         *
         * @param validFor from now on, by the store's clock
         * @throws StoreException if the store does not answer in this time, or is unavailable
         */
        void announce(Entry own, Duration validFor);

        /**
         * Replaces what this process reports of its relays. It is valid as long as the announcement, which must be there already.
         * People read it; no process decides by it.
         *
         * @param reports without secrets; long texts are cut
         * @throws StoreException if the store is unavailable
         */
        void report(List<RelayReport> reports);

        /**
         * @throws StoreException if the store is unavailable
         */
        Reading read();

        /** Removes the announcement. Never throws. */
        @Override
        void close();
    }

    /**
     * A process.
     *
     * @param process the owner of its leases
     * @param beat increases with every announcement, in all stores
     * @param held relays that it runs, of all its stores
     * @param relays relays of this store that it runs or would run
     */
    record Entry(OwnerId process, long beat, int held, Set<RelayName> relays) {
        public Entry {
            relays = Set.copyOf(relays);
        }
    }

    /**
     * What a process does with one of its relays.
     *
     * @param phase in words, such as {@code standing by}; a process of another version may have other words
     * @param failingFor how long it has been failing; empty if it does not fail
     * @param problem why it fails
     */
    record RelayReport(
            OwnerId process, RelayName relay, String phase, Optional<Duration> failingFor, Optional<String> problem) {}

    /**
     * @param processes whose announcement is valid
     * @param holders owners of the leases that are valid
     */
    record Reading(List<Entry> processes, Map<RelayName, OwnerId> holders) {
        public Reading {
            processes = List.copyOf(processes);
            holders = Map.copyOf(holders);
        }
    }
}
