package dev.waybill.relay;

import dev.waybill.RelayName;
import dev.waybill.format.TraceId;
import dev.waybill.spi.Bursts;
import dev.waybill.spi.Counted;
import dev.waybill.spi.Printable;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.Utf8;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Logs every failed attempt and every dead event with id, trace and error. Many of one event type are summarized, so that failing
 * events do not flood the log, and the first of another type is still seen; each of them has a line at level DEBUG. An event in
 * doubt is logged with its outage only ({@link InDoubtKeys}). One thread.
 */
final class FailureReport {
    private static final Logger log = LoggerFactory.getLogger(FailureReport.class);
    /** Lines about single events of a type, until {@link Bursts#QUIET} has passed. */
    static final int EACH = 20;
    /** Event types that are logged separately; all others are summarized together. */
    private static final int TYPES = 20;

    private static final String OTHER_TYPES = "";

    private final RelayName relay;
    private final LongSupplier nanoTime;
    private final Consumer<Line> lines;
    private final Map<Key, Bursts<Failed>> bursts = new HashMap<>();

    private record Key(Kind kind, String type) {}

    /** @param traceId the trace of the event, if it has one */
    record Line(Level level, String eventId, Optional<String> traceId, String words) {
        private void log() {
            LoggingEventBuilder line = log.atLevel(level).addKeyValue("eventId", eventId);
            (traceId.isPresent() ? line.addKeyValue("traceId", traceId.get()) : line).log(words);
        }
    }

    private enum Kind {
        RETRIED(Level.WARN, "failed attempts", "They are retried."),
        DEAD(Level.ERROR, "dead events", "All are kept until an operator requeues or discards them.");

        private final Level level;
        private final String many;
        private final String next;

        Kind(Level level, String many, String next) {
            this.level = level;
            this.many = many;
            this.next = next;
        }
    }

    /** Does not keep the event itself, which may be large. */
    private record Failed(
            Kind kind, Utf8 id, Utf8 type, @Nullable Utf8 headers, int attempts, String error, String next) {

        String words() {
            String what = kind == Kind.DEAD
                    ? "dead after " + Counted.of(attempts, "attempt")
                    : "failed in attempt " + attempts;
            return Printable.of(id) + " (" + Printable.of(type) + "), " + what + " (" + Printable.of(error) + ")";
        }
    }

    /** Writes the lines of one kind of failure. */
    private final class FailureLines implements Bursts.Lines<Failed> {
        @Override
        public void first(Failed one) {
            line(one, "event " + one.words() + ": " + one.next());
        }

        @Override
        public void rest(long more, Failed last) {
            line(
                    last,
                    more + " more " + last.kind().many + " since the last line; the last is event " + last.words()
                            + ". " + last.kind().next);
        }

        @Override
        public void counted(Failed one) {
            if (log.isDebugEnabled()) {
                line(Level.DEBUG, one, "event " + one.words() + ": " + one.next());
            }
        }

        private void line(Failed one, String words) {
            line(one.kind().level, one, words);
        }

        private void line(Level level, Failed one, String words) {
            Optional<String> trace = TraceId.ofHeaders(one.headers()).map(Printable::of);
            lines.accept(new Line(level, Printable.of(one.id()), trace, "Relay " + relay + ": " + words));
        }
    }

    /** @param nanoTime the monotonic clock */
    FailureReport(RelayName relay, LongSupplier nanoTime) {
        this(relay, nanoTime, Line::log);
    }

    FailureReport(RelayName relay, LongSupplier nanoTime, Consumer<Line> lines) {
        this.relay = relay;
        this.nanoTime = nanoTime;
        this.lines = lines;
    }

    void settled(StoredEvent event, Settlement settlement) {
        if (settlement instanceof Settlement.Dead dead) {
            int attempts = event.attempts() + (dead.sent() ? 1 : 0);
            add(event, Kind.DEAD, attempts, dead.error(), "it is kept until an operator requeues or discards it.");
        } else if (settlement instanceof Settlement.RetryAt retry && retry.counted()) {
            add(event, Kind.RETRIED, event.attempts() + 1, retry.error(), "trying again at " + retry.at() + ".");
        }
    }

    private void add(StoredEvent event, Kind kind, int attempts, String error, String next) {
        Key key = new Key(kind, event.type().toString());
        if (bursts.size() >= TYPES && !bursts.containsKey(key)) {
            bursts.values().removeIf(Bursts::isOver);
        }
        bursts.computeIfAbsent(
                        bursts.containsKey(key) || bursts.size() < TYPES ? key : new Key(kind, OTHER_TYPES),
                        unused -> new Bursts<>(nanoTime, new FailureLines(), EACH))
                .add(new Failed(kind, event.id(), event.type(), event.headersJson(), attempts, error, next));
    }

    /** Logs what is not logged yet, unless the last line is too recent. */
    void tell() {
        bursts.values().forEach(Bursts::tell);
    }

    /** Logs what is not logged yet. */
    void tellRest() {
        bursts.values().forEach(Bursts::tellRest);
    }
}
