package dev.waybill.inbox;

import dev.waybill.spi.Bursts;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Logs messages that were given up, cannot be given up, or do not progress; many at once in one line. */
final class TroubleReport {
    private final Bursts<String> taken;
    private final Bursts<String> takenWithoutMessage;
    private final Bursts<String> refused;
    private final Bursts<String> lost;

    /** @param words what happened to them */
    private record Lines(String consumer, Consumer<String> errors, String words) implements Bursts.Lines<String> {
        @Override
        public void first(String one) {
            errors.accept("Consumer " + consumer + ": " + one);
        }

        @Override
        public void rest(long more, String last) {
            errors.accept("Consumer " + consumer + ": " + more + " more " + words
                    + " since the last line about them; the last: " + last);
        }
    }

    /**
     * @param clock monotonic
     * @param errors gets the lines
     */
    TroubleReport(String consumer, InstantSource clock, Consumer<String> errors) {
        Instant start = clock.instant();
        LongSupplier nanoTime = () -> start.until(clock.instant(), ChronoUnit.NANOS);
        this.taken = new Bursts<>(nanoTime, new Lines(consumer, errors, "messages given up"));
        this.takenWithoutMessage = new Bursts<>(
                nanoTime,
                new Lines(
                        consumer,
                        errors,
                        "messages given up whose letters are without headers, or without body and headers"));
        this.refused = new Bursts<>(nanoTime, new Lines(consumer, errors, "letters not taken"));
        this.lost =
                new Bursts<>(nanoTime, new Lines(consumer, errors, "conflicts of events that lose again and again"));
    }

    void taken(Held held, String topic) {
        String which = "the message at " + held.message.place() + " was given up after " + held.attempts
                + " attempts; it is in " + topic;
        switch (held.letter) {
            case WHOLE, HEADERS_INSIDE -> taken.add(which + ", send it back from there when the cause is mended.");
            case WITHOUT_HEADERS ->
                takenWithoutMessage.add(which
                        + ", but without its headers, which do not fit: the letter has its body and their names.");
            case WITHOUT_MESSAGE ->
                takenWithoutMessage.add(which
                        + ", but without its body and headers, which do not fit: the letter says where it stood.");
        }
    }

    void refused(Held held, String topic, String why, long againInMillis) {
        refused.add("the message at " + held.message.place() + " cannot be put to " + topic + " (" + why
                + "); it stays where it is, again in " + againInMillis + " ms.");
    }

    /**
     * Its transaction failed with a conflict again.
     *
     * @return the line
     */
    String lost(Held held, long againInMillis) {
        String words = "the transaction of the event at " + held.message.place() + " (" + held.type()
                + ") has lost against others " + held.conflicts + " times; its key waits, again in " + againInMillis
                + " ms. If nothing else is at work on its data, look for a handler that goes on after a rollback.";
        lost.add(words);
        return Character.toUpperCase(words.charAt(0)) + words.substring(1);
    }

    /** Logs those since the last line, if that is long enough ago. */
    void tell() {
        taken.tell();
        takenWithoutMessage.tell();
        refused.tell();
        lost.tell();
    }

    /** Logs those since the last line. */
    void tellRest() {
        taken.tellRest();
        takenWithoutMessage.tellRest();
        refused.tellRest();
        lost.tellRest();
    }
}
