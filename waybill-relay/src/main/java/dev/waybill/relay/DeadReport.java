package dev.waybill.relay;

import dev.waybill.spi.Printable;
import dev.waybill.spi.RelayName;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoredEvent;
import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of dead events: of the first of a burst at once, with its id and error; of those that follow within {@link #QUIET} in
 * one line with their number and the last of them. Whoever writes a million bad events does not fill the log with them. One
 * thread.
 */
final class DeadReport {
    private static final Logger log = LoggerFactory.getLogger(DeadReport.class);

    /** Between two lines about dead events. */
    static final Duration QUIET = Duration.ofSeconds(10);

    private final RelayName relay;
    private final LongSupplier nanoTime;
    private final BiConsumer<String, String> lines;
    private boolean quiet;
    private long quietSince;
    private long more;
    private @Nullable Died last;

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

    /** @param nanoTime the monotonic clock */
    DeadReport(RelayName relay, LongSupplier nanoTime) {
        this(
                relay,
                nanoTime,
                (id, line) -> log.atError().addKeyValue("eventId", id).log(line));
    }

    /** @param lines gets the id of an event, and a line about it */
    DeadReport(RelayName relay, LongSupplier nanoTime, BiConsumer<String, String> lines) {
        this.relay = relay;
        this.nanoTime = nanoTime;
        this.lines = lines;
    }

    void died(StoredEvent event, Settlement.Dead dead) {
        tell();
        Died one = Died.of(event, dead);
        if (quiet) {
            more++;
            last = one;
        } else {
            line(one, "event " + one.words() + ": it stays until it is requeued or discarded.");
        }
    }

    /** Tells of those that died since the last line, when that is long enough ago. */
    void tell() {
        if (quiet && nanoTime.getAsLong() - quietSince >= QUIET.toNanos()) {
            quiet = false;
            tellRest();
        }
    }

    /** Tells of those that died since the last line. */
    void tellRest() {
        Died one = last;
        if (one != null) {
            line(
                    one,
                    more + " more dead since the last line about them; the last is event " + one.words()
                            + ". All stay until they are requeued or discarded.");
        }
    }

    private void line(Died one, String words) {
        lines.accept(one.id(), "Relay " + relay + ": " + words);
        quiet = true;
        quietSince = nanoTime.getAsLong();
        more = 0;
        last = null;
    }
}
