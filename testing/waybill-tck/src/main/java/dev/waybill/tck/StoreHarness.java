package dev.waybill.tck;

import dev.waybill.DuplicateEventException;
import dev.waybill.Event;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.spi.EventStore;
import dev.waybill.spi.RelayName;
import dev.waybill.tck.faults.FaultInjection;
import java.util.Optional;
import java.util.Set;

/** An empty store for one test, with what the contract needs around it. */
public interface StoreHarness extends AutoCloseable {
    EventStore store();

    StoreAdmin admin();

    /** Begins a transaction of an application. Several may be open at once; the contract uses each on one thread. */
    Tx begin();

    /** The clock the store compares retry times with. */
    ManualClock clock();

    /** What the store keeps of an event; events that have more are refused by its outbox. */
    Set<StoredField> keeps();

    /** An aggregate's id in a form the store takes, the same for the same name, others for others. */
    String aggregateId(String name);

    /** Makes the relay's lease run out now, by whichever clock it lives on. Whoever held it is not told. */
    void expireLease(RelayName relay);

    /**
     * Lets one call of the store to its database fail, also of its administration and, where it can, of {@link #begin()}.
     *
     * @return nothing when calls of this store cannot be made to fail yet
     */
    Optional<FaultInjection> faults();

    /** Lets go of everything. The contract has closed its sessions and ended its transactions before. */
    @Override
    void close();

    /** A transaction of an application on the store's database. */
    interface Tx {
        /**
         * @throws DuplicateEventException as the outbox does
         */
        void append(Event... events);

        /**
         * @return how many were new
         */
        int appendIfAbsent(Event... events);

        void commit();

        /** Does nothing when the transaction has ended. */
        void rollback();
    }
}
