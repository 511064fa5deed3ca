package dev.waybill.admin;

import dev.waybill.spi.ProcessRegister.RelayReport;
import java.util.List;
import java.util.function.Supplier;

/**
 * Reads the status of a store again and again, such as every second for people who look at it. It keeps its connection between two
 * readings, so that a reading costs little more than its queries. One thread at a time, except {@link #close}.
 */
public interface StoreWatch extends AutoCloseable {
    /**
     * Connects with the first call, and again after a failure.
     *
     * @throws dev.waybill.spi.StoreException if the store is unavailable; the next call tries again
     */
    Reading read();

    /** Ends a reading that is under way. Never throws. */
    @Override
    void close();

    /** Of a store that has nothing to keep between two readings. */
    static StoreWatch withoutConnection(Supplier<Reading> reading) {
        return new StoreWatch() {
            @Override
            public Reading read() {
                return reading.get();
            }

            @Override
            public void close() {
                // Nothing was opened.
            }
        };
    }

    /**
     * What a store tells at one time.
     *
     * @param relays as {@link StoreAdmin#relays} lists them
     * @param reports what processes that share its relays report of them; none if the store has no register of processes, or if it
     *     cannot be read
     */
    record Reading(List<RelayStatus> relays, List<RelayReport> reports) {
        public static final Reading NOTHING = new Reading(List.of(), List.of());

        public Reading {
            relays = List.copyOf(relays);
            reports = List.copyOf(reports);
        }
    }
}
