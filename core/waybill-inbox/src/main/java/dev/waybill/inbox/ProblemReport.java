package dev.waybill.inbox;

import dev.waybill.spi.Bursts;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Logs messages that were given up, cannot be given up, or do not progress; many at once in one line. */
final class ProblemReport {
    private final Bursts<String> taken;
    private final Bursts<String> takenWithoutMessage;
    private final Bursts<String> refused;
    private final Bursts<String> lost;

    /** @param words name of the summarized problems */
    private record Lines(String consumer, Consumer<String> errors, String words) implements Bursts.Lines<String> {
        @Override
        public void first(String one) {
            errors.accept("Consumer " + consumer + ": " + one);
        }

        @Override
        public void rest(long more, String last) {
            errors.accept("Consumer " + consumer + ": " + more + " more " + words
                    + " since the last line; the last one: " + last);
        }
    }

    /**
     * @param clock monotonic
     * @param errors receives the lines
     */
    ProblemReport(String consumer, InstantSource clock, Consumer<String> errors) {
        Instant start = clock.instant();
        LongSupplier nanoTime = () -> start.until(clock.instant(), ChronoUnit.NANOS);
        this.taken = new Bursts<>(nanoTime, new Lines(consumer, errors, "messages given up"));
        this.takenWithoutMessage = new Bursts<>(
                nanoTime,
                new Lines(consumer, errors, "messages given up whose dead letters lack headers, or body and headers"));
        this.refused = new Bursts<>(nanoTime, new Lines(consumer, errors, "dead letters not accepted"));
        this.lost = new Bursts<>(nanoTime, new Lines(consumer, errors, "repeated transaction conflicts"));
    }

    void taken(HeldMessage held, String topic) {
        String which = "the message at " + held.message.place() + " was given up after " + held.attempts
                + " attempts; it is in " + topic;
        switch (held.letter) {
            case WHOLE, HEADERS_INSIDE -> taken.add(which + ". Send it back from there when the cause is fixed.");
            case WITHOUT_HEADERS ->
                takenWithoutMessage.add(
                        which
                                + ", but without its headers, which do not fit: the letter has its body and the names of the headers.");
            case WITHOUT_MESSAGE ->
                takenWithoutMessage.add(
                        which
                                + ", but without its body and headers, which do not fit: the letter has the position of the message.");
        }
    }

    void refused(HeldMessage held, String topic, String why, long againInMillis) {
        refused.add("the message at " + held.message.place() + " cannot be sent to " + topic + " (" + why
                + "). It stays at its broker; trying again in " + againInMillis + " ms.");
    }

    /**
     * Its transaction failed with a conflict again.
     *
     * @return the line
     */
    String lost(HeldMessage held, long againInMillis) {
        String words = "the transaction of the event at " + held.message.place() + " (" + held.type()
                + ") has failed with conflicts " + held.conflicts + " times. Its key waits; trying again in "
                + againInMillis
                + " ms. If nothing else changes the same data, look for a handler that continues after a rollback.";
        lost.add(words);
        return Character.toUpperCase(words.charAt(0)) + words.substring(1);
    }

    /** Logs problems not logged yet, unless the last line is too recent. */
    void tell() {
        taken.tell();
        takenWithoutMessage.tell();
        refused.tell();
        lost.tell();
    }

    /** Logs problems not logged yet. */
    void tellRest() {
        taken.tellRest();
        takenWithoutMessage.tellRest();
        refused.tellRest();
        lost.tellRest();
    }
}
