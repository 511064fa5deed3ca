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

/** Logs dead events, each with its id and error; many at once in one line. */
final class DeadReport {
    private static final Logger log = LoggerFactory.getLogger(DeadReport.class);

    private final Bursts<Died> bursts;

    /** Without the event itself, which may be large. */
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

    /** @param lines gets the id of an event, and a line about it */
    private record DeadLines(RelayName relay, BiConsumer<String, String> lines) implements Bursts.Lines<Died> {
        @Override
        public void first(Died one) {
            line(one, "event " + one.words() + ": it stays until it is requeued or discarded.");
        }

        @Override
        public void rest(long more, Died last) {
            line(
                    last,
                    more + " more dead since the last line about them; the last is event " + last.words()
                            + ". All stay until they are requeued or discarded.");
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

    /** @param lines gets the id of an event, and a line about it */
    DeadReport(RelayName relay, LongSupplier nanoTime, BiConsumer<String, String> lines) {
        this.bursts = new Bursts<>(nanoTime, new DeadLines(relay, lines));
    }

    void died(StoredEvent event, Settlement.Dead dead) {
        bursts.add(Died.of(event, dead));
    }

    /** Logs those since the last line, if that is long enough ago. */
    void tell() {
        bursts.tell();
    }

    /** Logs those since the last line. */
    void tellRest() {
        bursts.tellRest();
    }
}
