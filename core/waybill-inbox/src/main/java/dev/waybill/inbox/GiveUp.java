package dev.waybill.inbox;

import dev.waybill.inbox.DeadLetterSender.Answer;
import dev.waybill.inbox.KeyQueues.Lane;
import dev.waybill.spi.OutboundMessage;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends messages that were given up to the dead letters. A key stays closed until its dead letter is acknowledged.
 *
 * <p>A letter that does not fit, because it exceeds the destination's maximum size or the destination refuses it as unfit, is
 * sent in the {@link DeadLetter next form}. Only the last form omits the body. Nothing is omitted for any other reason: if the
 * topic is missing, forbidden or full, the consumer waits, and the message stays at its broker.
 */
final class GiveUp<T> {
    private static final Logger log = LoggerFactory.getLogger(GiveUp.class);

    private final ConsumerParts<T> parts;
    private final KeyQueues queues;
    private final ConsumerStatistics statistics;
    private final InstantSource clock;
    private final Waits waits;
    private final CurrentProblems problems;
    private final DeadLetterSender sender;
    private final ProblemReport report;

    GiveUp(
            ConsumerParts<T> parts,
            KeyQueues queues,
            ConsumerStatistics statistics,
            SharedState shared,
            ProblemReport report) {
        this.parts = parts;
        this.queues = queues;
        this.statistics = statistics;
        this.clock = shared.clock();
        this.waits = shared.waits();
        this.problems = shared.problems();
        this.sender = new DeadLetterSender(parts.deadLetters, waits.answer());
        this.report = report;
    }

    /** Always releases the lane, now or when the destination answers. Never throws. */
    void begin(Lane lane, HeldMessage held) {
        try {
            String topic =
                    Objects.requireNonNull(parts.deadLetterTopic.apply(held.message.topic()), "topic of dead letters");
            OutboundMessage letter = letter(held, topic);
            sender.send(letter).thenAccept(answer -> answered(lane, held, topic, answer));
        } catch (Throwable e) {
            failed(lane, held, e);
        }
    }

    private OutboundMessage letter(HeldMessage held, String topic) {
        GivenUp why = Objects.requireNonNull(held.givenUp);
        // The letter contains the body: if that alone is too large, avoid a copy of it in memory.
        if (sender.isTooLarge(held.message.value().length)) {
            held.letter = DeadLetter.WITHOUT_MESSAGE;
        }
        OutboundMessage letter = held.letter.of(held, topic, why, parts.name);
        while (held.letter != DeadLetter.WITHOUT_MESSAGE && sender.isTooLarge(DeadLetter.bytes(letter))) {
            held.letter = held.letter.next();
            letter = held.letter.of(held, topic, why, parts.name);
        }
        return letter;
    }

    private void answered(Lane lane, HeldMessage held, String topic, Answer answer) {
        try {
            if (answer instanceof Answer.Taken) {
                taken(lane, held, topic);
            } else if (answer instanceof Answer.DoesNotFit doesNotFit) {
                doesNotFit(lane, held, topic, doesNotFit.why());
            } else if (answer instanceof Answer.NotNow notNow) {
                later(lane, held, topic, notNow.why());
            }
        } catch (Throwable e) {
            failed(lane, held, e);
        }
    }

    private void taken(Lane lane, HeldMessage held, String topic) {
        statistics.dead.increment();
        queues.done(lane);
        queues.release(lane, Instant.MIN);
        problems.lettersTaken();
        report.taken(held, topic);
        parts.listener.dead(held.message, Objects.requireNonNull(held.givenUp).error());
    }

    private void doesNotFit(Lane lane, HeldMessage held, String topic, String why) {
        if (held.letter == DeadLetter.WITHOUT_MESSAGE) {
            later(lane, held, topic, why);
        } else {
            held.letter = held.letter.next();
            queues.release(lane, Instant.MIN);
        }
    }

    private void later(Lane lane, HeldMessage held, String topic, String why) {
        Duration wait = waits.longest();
        // Start with the whole message next time: the limits may have changed.
        held.letter = DeadLetter.WHOLE;
        queues.release(lane, clock.instant().plus(wait));
        problems.lettersRefused(
                "The message at " + held.message.place() + " cannot be sent to " + topic + " (" + why + ").");
        report.refused(held, topic, why, wait.toMillis());
    }

    private void failed(Lane lane, HeldMessage held, Throwable e) {
        queues.release(lane, clock.instant().plus(waits.longest()));
        Defects.report(log, problems, parts.name, "the message at " + held.message.place() + " cannot be given up", e);
    }
}
