package dev.waybill.admin;

import dev.waybill.Payload;
import dev.waybill.RelayName;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Looking into a store and mending it. Reading is cheap on a store of any size: counts are estimates where exact ones would
 * walk the table. Safe for use by many threads.
 */
public interface StoreAdmin {
    List<RelayStatus> relays();

    /** Parked and dead events of a relay, oldest first, page by page. */
    List<ParkedEvent> parked(ParkedQuery query);

    /** Events, newest first, page by page; see {@link EventListing}. */
    EventListing events(EventQuery query);

    /** One event and what each relay did with it. */
    Optional<EventStory> show(String eventId);

    /** An event's payload. Reading it is audited, as it may be personal data. */
    Optional<Payload> payload(String eventId, Actor by);

    /** What {@link #requeue} would do with these events. */
    RequeuePreview previewRequeue(RelayName relay, Selection selection);

    /**
     * Sends dead or waiting events again, now, with their attempts counted from zero. Many events are worked through in steps,
     * so that the relay is not held up; when one fails, the rest is left as it was. The audit tells how many: each step for
     * itself, or the first step how many are meant and, if the final count differs, a second entry that one.
     *
     * @return how many were requeued; others were not there, wait behind one of their key, or were left out because somebody has
     *     locked them or one before them in their key
     */
    int requeue(RelayName relay, Selection selection, Actor by);

    /** What {@link #discard} would do with these events. */
    DiscardPreview previewDiscard(RelayName relay, Selection selection);

    /**
     * Gives up dead or waiting events for good; what waited behind them goes on. In steps, as {@link #requeue}.
     *
     * @param by with a reason
     * @return how many were discarded; others were not there
     * @throws IllegalArgumentException when there is no reason
     */
    int discard(RelayName relay, Selection selection, Actor by);

    /**
     * Stops claiming until {@link #resume}.
     *
     * @return false when there is no such relay
     */
    boolean pause(RelayName relay, Actor by);

    boolean resume(RelayName relay, Actor by);

    /**
     * Forgets a relay with its position and its parked events; retention no longer waits for it. Where a new relay would publish
     * again what this one has, its name stays taken until {@link #restore}: opening it is refused. A replay may be dropped while it
     * runs.
     *
     * @return false when there is no such relay
     * @throws dev.waybill.spi.StoreRefusedException while somebody runs it
     */
    boolean drop(RelayName relay, Actor by);

    /**
     * Lets a dropped relay be opened again. It begins as one that was never there.
     *
     * @return false when no relay's name is taken so
     */
    boolean restore(RelayName relay, Actor by);

    /**
     * Deletes one bounded step of what every relay has published, nothing parks, and is older than the given age.
     *
     * @param olderThan by the store's own clock
     * @param atMost how many events one step looks at
     */
    PurgeStep purge(Duration olderThan, int atMost);

    /**
     * Deletes all of that, step by step, because a person says so; the audit tells how many.
     *
     * @return how many events were deleted
     */
    long purge(Duration olderThan, Actor by);

    /** Adds an entry to the audit about something that a person does elsewhere, such as with dead letters. */
    void note(String action, String details, Actor by);

    /** What people did, newest first. */
    List<AuditEntry> audit(int atMost);

    /**
     * Looks the store over: whether it can be reached and how, whether it is as Waybill needs it, what it lacks. Changes nothing.
     * A store that is away is a finding, not an exception.
     */
    List<Finding> examine();
}
