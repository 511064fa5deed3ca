package dev.waybill.relay;

import dev.waybill.relay.RelayStatistics.Phase;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoredEvent;
import java.util.List;

/** Counts what was settled, logs failures, and ends the back-off once the destination has accepted or rejected an event. */
final class SettledReport {
    private final RelayStatistics statistics;
    private final Pace pace;
    private final FailureReport failures;
    private final GuardedListener listener;

    SettledReport(RelayStatistics statistics, Pace pace, FailureReport failures, GuardedListener listener) {
        this.statistics = statistics;
        this.pace = pace;
        this.failures = failures;
        this.listener = listener;
    }

    /** @param progress whether the destination has accepted or refused one of the events */
    void settled(List<Settlement> settlements, List<StoredEvent> events, boolean progress) {
        statistics.count(settlements);
        if (progress) {
            pace.progressed();
            if (statistics.state().phase() != Phase.RUNNING) {
                statistics.is(Phase.RUNNING);
            }
            listener.available();
        } else if (settlements.stream().anyMatch(Settlement.RetryAt.class::isInstance)) {
            pace.doubted();
        }
        for (int i = 0; i < settlements.size(); i++) {
            failures.settled(events.get(i), settlements.get(i));
        }
        listener.settled(settlements, events);
    }
}
