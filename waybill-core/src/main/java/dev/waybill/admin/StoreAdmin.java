package dev.waybill.admin;

import dev.waybill.spi.RelayName;
import java.time.Duration;
import java.util.Collection;
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

    /** One event and what each relay did with it. */
    Optional<EventStory> show(String eventId);

    /** What {@link #requeue} would do with these events. */
    RequeuePreview previewRequeue(RelayName relay, Collection<String> eventIds);

    /**
     * Sends dead or waiting events again, now, with their attempts counted from zero.
     *
     * @return how many were requeued; others were not there
     */
    int requeue(RelayName relay, Collection<String> eventIds, Actor by);

    /**
     * Gives up dead or waiting events for good; what waited behind them goes on.
     *
     * @return how many were discarded; others were not there
     */
    int discard(RelayName relay, Collection<String> eventIds, Actor by);

    /**
     * Stops claiming until {@link #resume}.
     *
     * @return false when there is no such relay
     */
    boolean pause(RelayName relay, Actor by);

    boolean resume(RelayName relay, Actor by);

    /**
     * Forgets a relay with its position and its parked events; retention no longer waits for it.
     *
     * @return false when there is no such relay
     */
    boolean drop(RelayName relay, Actor by);

    /**
     * Deletes one bounded step of what every relay has published, nothing parks, and is older than the given age.
     *
     * @param olderThan by the store's own clock
     * @param atMost how many events one step looks at
     */
    PurgeStep purge(Duration olderThan, int atMost);

    /** What people did, newest first. */
    List<AuditEntry> audit(int atMost);

    /**
     * Looks the store over: whether it can be reached and how, whether it is as Waybill needs it, what it lacks. Changes nothing.
     * A store that is away is a finding, not an exception.
     */
    List<Finding> examine();
}
