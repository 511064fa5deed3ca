package dev.waybill.inbox;

import dev.waybill.format.TraceId;
import dev.waybill.spi.Bursts;
import dev.waybill.spi.Counted;
import dev.waybill.spi.Printable;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Logs messages that failed, were given up, cannot be given up, or do not progress; many at once in one line. Lines about an event
 * have its id and trace as fields. Safe for use by many threads.
 */
final class ProblemReport {
    /** Lines about single messages of a kind, until {@link Bursts#QUIET} has passed. */
    static final int EACH = 20;
    /** Event types whose failures are logged separately; all others are summarized together. */
    private static final int TYPES = 20;

    private static final String OTHER_TYPES = "";

    private final String consumer;
    private final LongSupplier nanoTime;
    private final Consumer<Line> lines;
    private final Map<String, Bursts<Problem>> failed = new ConcurrentHashMap<>();
    private final Bursts<Problem> taken;
    private final Bursts<Problem> takenWithoutMessage;
    private final Bursts<Problem> refused;
    private final Bursts<Problem> lost;

    /**
     * @param eventId the event's id, if the message could be read
     * @param traceId the event's trace, if it has one
     */
    record Line(Level level, Optional<String> eventId, Optional<String> traceId, String words) {
        static Line of(Level level, HeldMessage held, String words) {
            return new Line(level, eventIdOf(held), TraceId.of(held.message).map(Printable::of), words);
        }

        void log(Logger log) {
            LoggingEventBuilder line = log.atLevel(level);
            line = eventId.isPresent() ? line.addKeyValue("eventId", eventId.get()) : line;
            line = traceId.isPresent() ? line.addKeyValue("traceId", traceId.get()) : line;
            line.log(words);
        }
    }

    /** A problem of one message. Does not keep the message, which may be large. */
    private record Problem(Optional<String> eventId, Optional<String> traceId, String words) {
        Problem(HeldMessage held, String words) {
            this(eventIdOf(held), TraceId.of(held.message).map(Printable::of), words);
        }
    }

    private static Optional<String> eventIdOf(HeldMessage held) {
        return Optional.ofNullable(held.event).map(event -> Printable.of(event.id()));
    }

    /** @param words name of the summarized problems */
    private record Lines(String consumer, Level level, Consumer<Line> lines, String words)
            implements Bursts.Lines<Problem> {
        @Override
        public void first(Problem one) {
            line(one, one.words());
        }

        @Override
        public void rest(long more, Problem last) {
            line(last, more + " more " + words + " since the last line; the last one: " + last.words());
        }

        private void line(Problem about, String text) {
            lines.accept(new Line(level, about.eventId(), about.traceId(), "Consumer " + consumer + ": " + text));
        }
    }

    /**
     * @param clock monotonic
     * @param lines receives the lines
     */
    ProblemReport(String consumer, InstantSource clock, Consumer<Line> lines) {
        Instant start = clock.instant();
        this.consumer = consumer;
        this.lines = lines;
        this.nanoTime = () -> start.until(clock.instant(), ChronoUnit.NANOS);
        this.taken = bursts(Level.ERROR, "messages given up", EACH);
        this.takenWithoutMessage =
                bursts(Level.ERROR, "messages given up whose dead letters lack headers, or body and headers", EACH);
        this.refused = bursts(Level.ERROR, "dead letters not accepted", 1);
        this.lost = bursts(Level.ERROR, "repeated transaction conflicts", 1);
    }

    private Bursts<Problem> bursts(Level level, String words, int each) {
        return new Bursts<>(nanoTime, new Lines(consumer, level, lines, words), each);
    }

    /**
     * Its handler failed and is called again. The exception's message is not logged: it may contain personal data.
     *
     * @param attempt in words, such as "attempt 4 of 10"
     */
    void failed(HeldMessage held, Throwable e, String attempt, long againInMillis) {
        String type = failed.containsKey(held.type()) || failed.size() < TYPES ? held.type() : OTHER_TYPES;
        failed.computeIfAbsent(type, unused -> bursts(Level.WARN, "failed attempts", EACH))
                .add(new Problem(
                        held,
                        which(held) + " failed with " + e.getClass().getName() + " (" + attempt
                                + "). Its key waits; trying again in " + againInMillis + " ms."));
    }

    void taken(HeldMessage held, String topic) {
        String which =
                which(held) + " was given up after " + Counted.of(held.attempts, "attempt") + "; it is in " + topic;
        switch (held.letter) {
            case WHOLE, HEADERS_INSIDE ->
                taken.add(new Problem(held, which + ". Send it back from there when the cause is fixed."));
            case WITHOUT_HEADERS ->
                takenWithoutMessage.add(
                        new Problem(
                                held,
                                which
                                        + ", but without its headers, which do not fit: the letter has its body and the names of the headers."));
            case WITHOUT_MESSAGE ->
                takenWithoutMessage.add(
                        new Problem(
                                held,
                                which
                                        + ", but without its body and headers, which do not fit: the letter has the position of the message."));
        }
    }

    void refused(HeldMessage held, String topic, String why, long againInMillis) {
        refused.add(new Problem(
                held,
                which(held) + " cannot be sent to " + topic + " (" + why + "). It stays at its broker; trying again in "
                        + againInMillis + " ms."));
    }

    /**
     * Its transaction failed with a conflict again.
     *
     * @return the line
     */
    String lost(HeldMessage held, long againInMillis) {
        String words = "the transaction of " + which(held) + " has failed with conflicts " + held.conflicts
                + " times. Its key waits; trying again in " + againInMillis
                + " ms. If nothing else changes the same data, look for a handler that continues after a rollback.";
        lost.add(new Problem(held, words));
        return Character.toUpperCase(words.charAt(0)) + words.substring(1);
    }

    private static String which(HeldMessage held) {
        String place = Printable.of(held.message.place());
        return held.event == null
                ? "the message at " + place
                : "event " + Printable.of(held.event.id()) + " (" + Printable.of(held.type()) + ") at " + place;
    }

    /** Logs problems not logged yet, unless the last line is too recent. */
    void tell() {
        failed.values().forEach(Bursts::tell);
        taken.tell();
        takenWithoutMessage.tell();
        refused.tell();
        lost.tell();
    }

    /** Logs problems not logged yet. */
    void tellRest() {
        failed.values().forEach(Bursts::tellRest);
        taken.tellRest();
        takenWithoutMessage.tellRest();
        refused.tellRest();
        lost.tellRest();
    }
}
