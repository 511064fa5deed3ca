package dev.waybill.admin;

import dev.waybill.RelayName;
import dev.waybill.spi.EventStore;
import java.util.List;
import java.util.Optional;

/**
 * Sending again what was appended before. A replay is a relay of its own, kept in the store under its name: it has a lease,
 * parks what fails under that name, can be paused and dropped as any relay, and goes on where it was when its process ended.
 * It gives what matched its query and was committed when it began, in order, each once; and it ends. What other relays know
 * about the events stays as it is. Safe for use by many threads.
 */
public interface ReplayAdmin {
    /** How many events a replay would send if it began now. */
    ReplaySize preview(ReplayQuery query);

    /**
     * Begins a replay; from now on retention keeps what it has yet to send. It is sent by whoever opens it in {@link #store}.
     *
     * @throws dev.waybill.spi.StoreRefusedException when there is a relay or a replay of that name already
     */
    ReplayStatus start(RelayName name, ReplayQuery query, Actor by);

    /** Those that were not dropped, also when they have ended. */
    List<ReplayStatus> replays();

    Optional<ReplayStatus> replay(RelayName name);

    /**
     * Ends a replay before it is through. Where nobody runs it this is done at once. Else its session claims nothing more,
     * settles what is out, and ends it: until then it is {@link ReplayStatus.State#CANCELLING}. If its process died meanwhile,
     * ask again once the lease has run out.
     *
     * @return how it stands now; nothing when there is no such replay
     */
    Optional<ReplayStatus> cancel(RelayName name, Actor by);

    /** The same events as replays see them. Opens replays that were started and nothing else. */
    EventStore store();
}
