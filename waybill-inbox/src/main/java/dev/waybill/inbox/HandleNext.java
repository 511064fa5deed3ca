package dev.waybill.inbox;

import dev.waybill.Inbox.Outcome;
import dev.waybill.InboxBusyException;
import dev.waybill.Incoming;
import dev.waybill.format.ReceivedEvent;
import dev.waybill.inbox.ConsumerPlan.Registration;
import dev.waybill.inbox.KeyQueues.Lane;
import dev.waybill.spi.TransactionConflictException;
import dev.waybill.spi.TransactionsAwayException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way of an event through a consumer: take → transaction { inbox, handler } → done, again, or dead. {@link #runOnce} is
 * one step, complete in its effects. Safe for many threads: each works on keys of its own.
 *
 * <p><b>What is whose fault.</b> A handler that fails counts against its event. A transaction that lost against another one,
 * and a database that is away, count against nobody: the event is handled again until it gets through. An event that is
 * given up leaves its key only when the dead letters have it.
 */
final class HandleNext<T> {
    private static final Logger log = LoggerFactory.getLogger(HandleNext.class);
    private static final Duration CONFLICT_WAIT = Duration.ofMillis(20);
    private static final Duration BUSY_WAIT = Duration.ofMillis(500);
    private static final Duration FIRST_AWAY_WAIT = Duration.ofMillis(200);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    private final ConsumerPlan<T> plan;
    private final KeyQueues queues;
    private final ConsumerStatistics statistics;
    private final InstantSource clock;
    private final DeadLetterPost deadLetters;
    private final AtomicInteger timesAway = new AtomicInteger();

    HandleNext(ConsumerPlan<T> plan, KeyQueues queues, ConsumerStatistics statistics, InstantSource clock) {
        this.plan = plan;
        this.queues = queues;
        this.statistics = statistics;
        this.clock = clock;
        this.deadLetters = new DeadLetterPost(plan.deadLetters);
    }

    /** How it ended with one message. */
    private sealed interface End {
        record Done() implements End {}

        record Again(Instant at) implements End {}

        record Dead(String error) implements End {}
    }

    private static final End DONE = new End.Done();

    /**
     * @return false when there is nothing to do now
     */
    boolean runOnce() {
        List<Lane> lanes = queues.take(clock.instant(), plan.options.batch());
        boolean shared = lanes.stream().mapToInt(lane -> lane.taken().size()).sum() > 1;
        if (shared && handleTogether(lanes)) {
            return true;
        }
        lanes.forEach(this::handleOneByOne);
        return !lanes.isEmpty();
    }

    /**
     * All in one transaction.
     *
     * @return false when that failed and each is to be tried alone
     */
    private boolean handleTogether(List<Lane> lanes) {
        List<ReceivedEvent> events = lanes.stream()
                .flatMap(lane -> lane.taken().stream())
                .map(held -> Objects.requireNonNull(held.event))
                .toList();
        try {
            List<Incoming> incoming = events.stream().map(this::incoming).toList();
            List<Outcome> outcomes = plan.transactions.call(transaction -> plan.inbox.handleAll(
                    transaction, plan.name, incoming, (open, index) -> call(open, events.get(index))));
            committed();
            for (int i = 0; i < events.size(); i++) {
                count(events.get(i), outcomes.get(i));
            }
            for (Lane lane : lanes) {
                lane.taken().forEach(held -> queues.done(lane));
                queues.release(lane, Instant.MIN);
            }
            return true;
        } catch (TransactionsAwayException e) {
            closeForAWhile(e);
            lanes.forEach(lane -> queues.release(lane, Instant.MIN));
            return true;
        } catch (Exception | Error e) {
            log.debug("Consumer {}: {} keys are handled one by one now: {}", plan.name, lanes.size(), e.getClass());
            return false;
        }
    }

    private void handleOneByOne(Lane lane) {
        for (Held held : lane.taken()) {
            End end = handle(held);
            if (end instanceof End.Again again) {
                queues.release(lane, again.at());
                return;
            }
            if (end instanceof End.Dead dead) {
                giveUp(lane, held, dead.error());
                return;
            }
            queues.done(lane);
        }
        queues.release(lane, Instant.MIN);
    }

    private End handle(Held held) {
        if (held.event == null) {
            return new End.Dead(Objects.requireNonNull(held.malformed));
        }
        ReceivedEvent event = held.event;
        try {
            Outcome outcome = plan.transactions.call(transaction -> apply(transaction, event));
            committed();
            count(event, outcome);
            return DONE;
        } catch (TransactionsAwayException e) {
            closeForAWhile(e);
            return new End.Again(clock.instant());
        } catch (TransactionConflictException e) {
            return new End.Again(clock.instant().plus(CONFLICT_WAIT));
        } catch (InboxBusyException e) {
            return new End.Again(clock.instant().plus(BUSY_WAIT));
        } catch (Exception | Error e) {
            return failed(held, event, e);
        }
    }

    private Outcome apply(T transaction, ReceivedEvent event) throws Exception {
        return plan.inbox.handleOnce(transaction, plan.name, incoming(event), open -> call(open, event));
    }

    private void call(T transaction, ReceivedEvent event) throws Exception {
        Registration<T> registration = Objects.requireNonNull(plan.handlerOf(event.type()));
        registration.handler().handle(transaction, event);
    }

    private Incoming incoming(ReceivedEvent event) {
        return new Incoming(event.id(), plan.version.apply(event));
    }

    private End failed(Held held, ReceivedEvent event, Throwable e) {
        statistics.failures.increment();
        held.attempts++;
        Optional<Duration> wait =
                isPermanent(e) ? Optional.empty() : plan.options.retry().afterAttempt(held.attempts);
        if (wait.isEmpty()) {
            return new End.Dead(messageOf(e));
        }
        // The text of somebody's exception may have personal data in it; the dead letter has it, the log does not.
        log.warn(
                "Consumer {}: event {} ({}) failed with {} (attempt {} of {}); its key waits, again in {} ms.",
                plan.name,
                event.id(),
                event.type(),
                e.getClass().getName(),
                held.attempts,
                plan.options.retry().retries() + 1,
                wait.get().toMillis());
        return new End.Again(clock.instant().plus(wait.get()));
    }

    private static boolean isPermanent(Throwable e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof PermanentFailureException) {
                return true;
            }
        }
        return false;
    }

    private static String messageOf(Throwable e) {
        String message = e.getMessage();
        return message == null ? e.getClass().getName() : message;
    }

    /** The key stays closed until the dead letters have it. */
    private void giveUp(Lane lane, Held held, String error) {
        String topic = plan.deadLetterTopic.apply(held.message.topic());
        deadLetters
                .post(DeadLetter.of(held, topic, error, clock.instant(), plan.name))
                .thenAccept(problem -> {
                    if (problem.isEmpty()) {
                        statistics.dead.increment();
                        log.error(
                                "Consumer {}: the message at {} was given up after {} attempts; it is in {}, send it back from"
                                        + " there when the cause is mended.",
                                plan.name,
                                held.message.place(),
                                held.attempts,
                                topic);
                        queues.done(lane);
                        queues.release(lane, Instant.MIN);
                    } else {
                        log.error(
                                "Consumer {}: the message at {} cannot be put to {} ({}); it stays where it is, again in {} ms.",
                                plan.name,
                                held.message.place(),
                                topic,
                                problem.get(),
                                LONGEST_WAIT.toMillis());
                        queues.release(lane, clock.instant().plus(LONGEST_WAIT));
                    }
                });
    }

    private void closeForAWhile(TransactionsAwayException e) {
        int times = Math.min(timesAway.getAndIncrement(), 10);
        Duration wait = FIRST_AWAY_WAIT.multipliedBy(1L << times);
        Duration bounded = wait.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait;
        queues.closeUntil(clock.instant().plus(bounded));
        log.warn(
                "Consumer {}: {} Nothing is acknowledged and nothing counted meanwhile; again in {} ms.",
                plan.name,
                e.getMessage(),
                bounded.toMillis());
    }

    private void committed() {
        statistics.commits.increment();
        timesAway.set(0);
    }

    private void count(ReceivedEvent event, Outcome outcome) {
        if (outcome instanceof Outcome.Duplicate) {
            statistics.duplicates.increment();
        } else if (outcome instanceof Outcome.Stale) {
            statistics.stale.increment();
        } else if (outcome instanceof Outcome.Handled handled) {
            statistics.handled.increment();
            handled.gapAfter().ifPresent(last -> {
                statistics.gaps.increment();
                log.warn(
                        "Consumer {}: event {} ({}) came right after version {} of its entity: versions between are missing.",
                        plan.name,
                        event.id(),
                        event.type(),
                        last);
            });
        }
    }
}
