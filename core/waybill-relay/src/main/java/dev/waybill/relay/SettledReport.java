package dev.waybill.relay;

import dev.waybill.relay.RelayStatistics.Phase;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoredEvent;
import java.util.List;

/** Counts what was settled, tells who is dead, and ends the backing off when the destination has taken or judged an event. */
final class SettledReport {
    private final RelayStatistics statistics;
    private final Pace pace;
    private final DeadReport dead;

    SettledReport(RelayStatistics statistics, Pace pace, DeadReport dead) {
        this.statistics = statistics;
        this.pace = pace;
        this.dead = dead;
    }

    void settled(List<Settlement> settlements, List<StoredEvent> events) {
        statistics.count(settlements);
        if (settlements.stream().anyMatch(SettledReport::isProgress)) {
            pace.progressed();
            if (statistics.state().phase() != Phase.RUNNING) {
                statistics.is(Phase.RUNNING);
            }
        } else if (Outcomes.inDoubt(settlements) > 0) {
            pace.doubted();
        }
        for (int i = 0; i < settlements.size(); i++) {
            if (settlements.get(i) instanceof Settlement.Dead dead) {
                this.dead.died(events.get(i), dead);
            }
        }
    }

    /** Whether it shows that the destination is there. What was never sent, or is in doubt, does not. */
    private static boolean isProgress(Settlement settlement) {
        return settlement instanceof Settlement.Published
                || (settlement instanceof Settlement.RetryAt retry && retry.counted())
                || (settlement instanceof Settlement.Dead dead && dead.sent());
    }
}
