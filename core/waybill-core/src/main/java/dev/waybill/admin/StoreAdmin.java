package dev.waybill.admin;

import dev.waybill.Payload;
import dev.waybill.RelayName;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Inspects and repairs a store. Reading is cheap on a store of any size: counts are estimates where exact ones would need a scan
 * of the table. Safe for use by many threads.
 */
public interface StoreAdmin {
    List<RelayStatus> relays();

    /** Reads the same again and again for less. The caller closes it. */
    StoreWatch watch();

    /** Parked and dead events of a relay, oldest first, page by page. */
    List<ParkedEvent> parked(ParkedQuery query);

    /**
     * Events of the same key that wait behind a parked or dead event. Reads a bounded part of the store.
     *
     * @param atMost maximum number of events
     * @return none if the event is not parked, or is dead and lets later ones pass
     */
    Followers waitingBehind(RelayName relay, String eventId, int atMost);

    /** Events, newest first, page by page; see {@link EventListing}. */
    EventListing events(EventQuery query);

    /** One event and its state for each relay. */
    Optional<EventHistory> show(String eventId);

    /** An event's payload. Reading it is audited, because it may be personal data. */
    Optional<Payload> payload(String eventId, Actor by);

    /** The effect that {@link #requeue} would have. */
    RequeuePreview previewRequeue(RelayName relay, Selection selection);

    /**
     * Sends dead or waiting events again at once, with their attempts reset to zero. Many events are processed in steps, so that
     * the relay is not blocked; if a step fails, the remaining events are unchanged. The audit records the count: either each
     * step its own, or the first step the planned count and, if the final count differs, a second entry.
     *
     * @return number of requeued events; others do not exist, wait behind one of their key, or were skipped because they or an
     *     earlier event of their key are locked
     */
    int requeue(RelayName relay, Selection selection, Actor by);

    /** The effect that {@link #discard} would have. */
    DiscardPreview previewDiscard(RelayName relay, Selection selection);

    /**
     * Discards dead or waiting events permanently; events that waited behind them continue. In steps, like {@link #requeue}.
     *
     * @param by must give a reason
     * @return number of discarded events; others do not exist
     * @throws IllegalArgumentException if no reason is given
     */
    int discard(RelayName relay, Selection selection, Actor by);

    /**
     * Stops claiming until {@link #resume}.
     *
     * @return false if the relay does not exist
     */
    boolean pause(RelayName relay, Actor by);

    boolean resume(RelayName relay, Actor by);

    /**
     * Deletes a relay with its position and its parked events; retention no longer waits for it. If a new relay of that name would
     * publish the same events again, opening it is refused until {@link #restore}. A replay can be dropped while it runs.
     *
     * @return false if the relay does not exist
     * @throws dev.waybill.spi.StoreRefusedException while a process runs it
     */
    boolean drop(RelayName relay, Actor by);

    /**
     * Allows a dropped relay to be opened again. It starts like a new relay.
     *
     * @return false if no dropped relay has this name
     */
    boolean restore(RelayName relay, Actor by);

    /**
     * Deletes events that all relays have published, that are not parked and that are older than the given age, in one bounded step.
     *
     * @param olderThan by the store's clock
     * @param atMost maximum number of events that the step examines
     */
    PurgeStep purge(Duration olderThan, int atMost);

    /**
     * Deletes all such events, step by step, on an operator's request; the audit records the count.
     *
     * @return number of deleted events
     */
    long purge(Duration olderThan, Actor by);

    /** Adds an audit entry for an action elsewhere, such as on dead letters. */
    void note(String action, String details, Actor by);

    /** The newest audit entries. */
    default List<AuditEntry> audit(int atMost) {
        return audit(Optional.empty(), atMost);
    }

    /**
     * Audit entries, newest first, page by page.
     *
     * @param after cursor of the last entry of the previous page; empty for the first page
     * @throws IllegalArgumentException if it is no cursor
     */
    List<AuditEntry> audit(Optional<String> after, int atMost);

    /**
     * Checks the store: whether it is reachable, and whether its schema, settings and privileges are as required. Changes nothing.
     * An unavailable store is a finding, not an exception.
     */
    List<Finding> examine();
}
