package dev.waybill.relay;

import dev.waybill.relay.RelayStatistics.Phase;
import dev.waybill.spi.Printable;
import dev.waybill.spi.RelayName;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoredEvent;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts what was settled, logs who is dead, and ends the backing off when the destination has taken or judged an event. */
final class SettledReport {
    private static final Logger log = LoggerFactory.getLogger(SettledReport.class);

    private final RelayName relay;
    private final RelayStatistics statistics;
    private final Pace pace;

    SettledReport(RelayName relay, RelayStatistics statistics, Pace pace) {
        this.relay = relay;
        this.statistics = statistics;
        this.pace = pace;
    }

    void settled(List<Settlement> settlements, List<StoredEvent> events) {
        statistics.count(settlements);
        if (settlements.stream().anyMatch(SettledReport::isProgress)) {
            pace.progressed();
            if (statistics.state().phase() != Phase.RUNNING) {
                statistics.is(Phase.RUNNING);
            }
        }
        for (int i = 0; i < settlements.size(); i++) {
            if (settlements.get(i) instanceof Settlement.Dead dead) {
                logDead(events.get(i), dead);
            }
        }
    }

    /** Whether it shows that the destination is there. What was never sent, or is in doubt, does not. */
    private static boolean isProgress(Settlement settlement) {
        return settlement instanceof Settlement.Published
                || (settlement instanceof Settlement.RetryAt retry && retry.counted())
                || (settlement instanceof Settlement.Dead dead && dead.sent());
    }

    private void logDead(StoredEvent event, Settlement.Dead dead) {
        log.atError()
                .addKeyValue("eventId", Printable.of(event.id()))
                .log(
                        "Relay {}: event {} ({}) is dead after {} attempts ({}); it stays until it is"
                                + " requeued or discarded.",
                        relay,
                        Printable.of(event.id()),
                        Printable.of(event.type()),
                        event.attempts() + (dead.sent() ? 1 : 0),
                        Printable.of(dead.error()));
    }
}
