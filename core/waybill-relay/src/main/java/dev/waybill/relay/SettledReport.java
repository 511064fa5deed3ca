package dev.waybill.relay;

import dev.waybill.relay.RelayStatistics.Phase;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoredEvent;
import java.util.List;

/** Counts what was settled, logs dead events, and ends the back-off once the destination has accepted or rejected an event. */
final class SettledReport {
    private final RelayStatistics statistics;
    private final Pace pace;
    private final DeadReport dead;
    private final GuardedListener listener;

    SettledReport(RelayStatistics statistics, Pace pace, DeadReport dead, GuardedListener listener) {
        this.statistics = statistics;
        this.pace = pace;
        this.dead = dead;
        this.listener = listener;
    }

    void settled(List<Settlement> settlements, List<StoredEvent> events) {
        statistics.count(settlements);
        if (settlements.stream().anyMatch(SettledReport::isProgress)) {
            pace.progressed();
            if (statistics.state().phase() != Phase.RUNNING) {
                statistics.is(Phase.RUNNING);
            }
            listener.available();
        } else if (Outcomes.inDoubt(settlements) > 0) {
            pace.doubted();
        }
        for (int i = 0; i < settlements.size(); i++) {
            if (settlements.get(i) instanceof Settlement.Dead dead) {
                this.dead.died(events.get(i), dead);
            }
        }
        listener.settled(settlements, events);
    }

    /** Whether it proves that the destination is available. An event that was not sent, or is in doubt, does not. */
    private static boolean isProgress(Settlement settlement) {
        return settlement instanceof Settlement.Published
                || (settlement instanceof Settlement.RetryAt retry && retry.counted())
                || (settlement instanceof Settlement.Dead dead && dead.sent());
    }
}
