package dev.waybill.inbox;

import dev.waybill.inbox.DeadLetterPost.Answer;
import dev.waybill.inbox.KeyQueues.Lane;
import dev.waybill.spi.OutboundMessage;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts messages that were given up to the dead letters. A key stays closed until they have its message.
 *
 * <p>A letter that does not fit, because it is larger than the destination says it takes, or because the destination answers
 * that it cannot carry it, goes in the {@link DeadLetter next form}. The last one has no body: so only its size makes a message
 * lose that. For no other reason is anything left out: a place that is missing, forbidden or full is waited for,
 * and the message stays with its broker.
 */
final class GiveUp<T> {
    private static final Logger log = LoggerFactory.getLogger(GiveUp.class);

    private final ConsumerPlan<T> plan;
    private final KeyQueues queues;
    private final ConsumerStatistics statistics;
    private final InstantSource clock;
    private final Waits waits;
    private final Vitals vitals;
    private final DeadLetterPost post;
    private final TroubleReport report;

    GiveUp(
            ConsumerPlan<T> plan,
            KeyQueues queues,
            ConsumerStatistics statistics,
            Condition condition,
            TroubleReport report) {
        this.plan = plan;
        this.queues = queues;
        this.statistics = statistics;
        this.clock = condition.clock();
        this.waits = condition.waits();
        this.vitals = condition.vitals();
        this.post = new DeadLetterPost(plan.deadLetters, waits.answer());
        this.report = report;
    }

    /** Releases the lane in any case, now or when the destination answers. Never throws. */
    void begin(Lane lane, Held held) {
        try {
            String topic = plan.deadLetterTopic.apply(held.message.topic());
            OutboundMessage letter = letter(held, topic);
            post.post(letter).thenAccept(answer -> answered(lane, held, topic, answer));
        } catch (Throwable e) {
            failed(lane, held, e);
        }
    }

    private OutboundMessage letter(Held held, String topic) {
        GivenUp why = Objects.requireNonNull(held.givenUp);
        // The letter has all bytes of the body: when those are too many, a copy of them need not find room in memory.
        if (post.isTooLarge(held.message.value().length)) {
            held.letter = DeadLetter.WITHOUT_MESSAGE;
        }
        OutboundMessage letter = held.letter.of(held, topic, why, plan.name);
        while (held.letter != DeadLetter.WITHOUT_MESSAGE && post.isTooLarge(DeadLetter.bytes(letter))) {
            held.letter = held.letter.next();
            letter = held.letter.of(held, topic, why, plan.name);
        }
        return letter;
    }

    private void answered(Lane lane, Held held, String topic, Answer answer) {
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

    private void taken(Lane lane, Held held, String topic) {
        statistics.dead.increment();
        queues.done(lane);
        queues.release(lane, Instant.MIN);
        vitals.lettersTaken();
        report.taken(held, topic);
    }

    private void doesNotFit(Lane lane, Held held, String topic, String why) {
        if (held.letter == DeadLetter.WITHOUT_MESSAGE) {
            later(lane, held, topic, why);
        } else {
            held.letter = held.letter.next();
            queues.release(lane, Instant.MIN);
        }
    }

    private void later(Lane lane, Held held, String topic, String why) {
        Duration wait = waits.longest();
        // Next time the place may be another one that takes it whole.
        held.letter = DeadLetter.WHOLE;
        queues.release(lane, clock.instant().plus(wait));
        vitals.lettersRefused(
                "The message at " + held.message.place() + " cannot be put to " + topic + " (" + why + ").");
        report.refused(held, topic, why, wait.toMillis());
    }

    private void failed(Lane lane, Held held, Throwable e) {
        queues.release(lane, clock.instant().plus(waits.longest()));
        Defects.report(log, vitals, plan.name, "the message at " + held.message.place() + " cannot be given up", e);
    }
}
