package dev.waybill.inbox;

import dev.waybill.spi.Bursts;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Tells of messages that were given up, and of those that cannot be; of many at once in one line. */
final class GiveUpReport {
    private final Bursts<String> taken;
    private final Bursts<String> takenWithoutMessage;
    private final Bursts<String> refused;

    /** @param words what became of them */
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
     * @param clock it never jumps
     * @param errors gets the lines
     */
    GiveUpReport(String consumer, InstantSource clock, Consumer<String> errors) {
        Instant start = clock.instant();
        LongSupplier nanoTime = () -> start.until(clock.instant(), ChronoUnit.NANOS);
        this.taken = new Bursts<>(nanoTime, new Lines(consumer, errors, "messages given up"));
        this.takenWithoutMessage = new Bursts<>(
                nanoTime, new Lines(consumer, errors, "messages given up whose letters are without body and headers"));
        this.refused = new Bursts<>(nanoTime, new Lines(consumer, errors, "letters not taken"));
    }

    void taken(Held held, String topic) {
        String which = "the message at " + held.message.place() + " was given up after " + held.attempts
                + " attempts; it is in " + topic;
        if (held.sendWithoutMessage) {
            takenWithoutMessage.add(
                    which + ", but without its body and headers, which do not fit: the letter says where it stood.");
        } else {
            taken.add(which + ", send it back from there when the cause is mended.");
        }
    }

    void refused(Held held, String topic, String why, long againInMillis) {
        refused.add("the message at " + held.message.place() + " cannot be put to " + topic + " (" + why
                + "); it stays where it is, again in " + againInMillis + " ms.");
    }

    /** Tells of those since the last line, when that is long enough ago. */
    void tell() {
        taken.tell();
        takenWithoutMessage.tell();
        refused.tell();
    }

    /** Tells of those since the last line. */
    void tellRest() {
        taken.tellRest();
        takenWithoutMessage.tellRest();
        refused.tellRest();
    }
}
