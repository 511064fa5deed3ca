package dev.waybill.tck;

import dev.waybill.DuplicateEventException;
import dev.waybill.Event;
import dev.waybill.RelayName;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.spi.EventStore;
import dev.waybill.tck.faults.FaultInjection;
import java.util.Optional;
import java.util.Set;

/** An empty store for one test, with the operations that the contract needs. */
public interface StoreHarness extends AutoCloseable {
    EventStore store();

    StoreAdmin admin();

    /** Whether events of one key come in the order of their transactions. */
    boolean ordered();

    /** Whether relays of different names each get every event. */
    boolean severalRelays();

    /** Begins a transaction of an application. Several may be open at once; the contract uses each on one thread. */
    Tx begin();

    /** The clock the store compares retry times with. */
    ManualClock clock();

    /** The fields that the store keeps; its outbox refuses events with other fields. */
    Set<StoredField> keeps();

    /** An aggregate id that the store accepts; equal for equal names, and different for different ones. */
    String aggregateId(String name);

    /** Makes the relay's lease expire now, whichever clock it uses. Its holder is not notified. */
    void expireLease(RelayName relay);

    /**
     * Makes one call of the store to its database fail, including calls of its administration and, if possible, of
     * {@link #begin()}.
     *
     * @return empty if calls of this store cannot be made to fail
     */
    Optional<FaultInjection> faults();

    /** @return empty if only relays change events of this store */
    Optional<ForeignWorker> foreignWorker();

    /** Releases all resources. The contract has closed its sessions and ended its transactions before. */
    @Override
    void close();

    /** A transaction of an application on the store's database. */
    interface Tx {
        /**
         * @throws DuplicateEventException as the outbox does
         */
        void append(Event... events);

        /**
         * @return the number of new events
         */
        int appendIfAbsent(Event... events);

        void commit();

        /** Does nothing if the transaction has ended. */
        void rollback();
    }

    /** A worker of another make that publishes events of the same store, one at a time. */
    interface ForeignWorker {
        /** @return false if the event is not pending */
        boolean lock(String eventId);

        /** The event is pending again. */
        void unlock(String eventId);

        void publish(String eventId);

        /** Others may publish the event. */
        void fail(String eventId);

        /** The event has no attempts left. */
        void giveUp(String eventId);
    }
}
