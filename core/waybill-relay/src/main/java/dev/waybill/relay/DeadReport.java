package dev.waybill.relay;

import dev.waybill.RelayName;
import dev.waybill.spi.Bursts;
import dev.waybill.spi.Printable;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoredEvent;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs dead events with id and error; many at once are summarized in one line. */
final class DeadReport {
    private static final Logger log = LoggerFactory.getLogger(DeadReport.class);

    private final Bursts<Died> bursts;

    /** Does not keep the event itself, which may be large. */
    private record Died(String id, String words) {
        static Died of(StoredEvent event, Settlement.Dead dead) {
            String id = Printable.of(event.id());
            int attempts = event.attempts() + (dead.sent() ? 1 : 0);
            return new Died(
                    id,
                    id + " (" + Printable.of(event.type()) + "), dead after " + attempts + " attempts ("
                            + Printable.of(dead.error()) + ")");
        }
    }

    /** @param lines receives the id of an event and a log line about it */
    private record DeadLines(RelayName relay, BiConsumer<String, String> lines) implements Bursts.Lines<Died> {
        @Override
        public void first(Died one) {
            line(one, "event " + one.words() + ": it is kept until an operator requeues or discards it.");
        }

        @Override
        public void rest(long more, Died last) {
            line(
                    last,
                    more + " more dead events since the last line; the last is event " + last.words()
                            + ". All are kept until an operator requeues or discards them.");
        }

        private void line(Died one, String words) {
            lines.accept(one.id(), "Relay " + relay + ": " + words);
        }
    }

    /** @param nanoTime the monotonic clock */
    DeadReport(RelayName relay, LongSupplier nanoTime) {
        this(
                relay,
                nanoTime,
                (id, line) -> log.atError().addKeyValue("eventId", id).log(line));
    }

    /** @param lines receives the id of an event and a log line about it */
    DeadReport(RelayName relay, LongSupplier nanoTime, BiConsumer<String, String> lines) {
        this.bursts = new Bursts<>(nanoTime, new DeadLines(relay, lines));
    }

    void died(StoredEvent event, Settlement.Dead dead) {
        bursts.add(Died.of(event, dead));
    }

    /** Logs events not logged yet, unless the last line is too recent. */
    void tell() {
        bursts.tell();
    }

    /** Logs events not logged yet. */
    void tellRest() {
        bursts.tellRest();
    }
}
