package dev.waybill.inbox;

import dev.waybill.Inbox.Outcome;
import dev.waybill.Incoming;
import dev.waybill.format.ReceivedEvent;
import dev.waybill.inbox.ConsumerPlan.Registration;
import dev.waybill.inbox.KeyQueues.Lane;
import dev.waybill.spi.Printable;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The way of an event through a consumer: take → transaction { inbox, handler } → done, again, or dead. {@link #runOnce} is
 * one step, complete in its effects: whatever is thrown, the keys it took are released. Safe for many threads: each works on
 * keys of its own.
 *
 * <p><b>What is whose fault.</b> A handler that fails counts against its event. A transaction that lost against another one,
 * and something that is away, count against nobody: the event is handled again until it gets through. What the handler found
 * away holds up events of its type; what was found away around it, the inbox or the transactions, holds up all. An event that
 * is given up leaves its key only when the dead letters have it.
 */
final class HandleNext<T> {
    private static final Logger log = LoggerFactory.getLogger(HandleNext.class);

    private final ConsumerPlan<T> plan;
    private final KeyQueues queues;
    private final ConsumerStatistics statistics;
    private final InstantSource clock;
    private final InstantSource wall;
    private final Waits waits;
    private final Absences absences;
    private final Vitals vitals;
    private final TroubleReport report;
    private final GiveUp<T> deadLetters;

    HandleNext(
            ConsumerPlan<T> plan,
            KeyQueues queues,
            ConsumerStatistics statistics,
            Condition condition,
            TroubleReport report) {
        this.plan = plan;
        this.queues = queues;
        this.statistics = statistics;
        this.clock = condition.clock();
        this.wall = condition.wall();
        this.waits = condition.waits();
        this.absences = condition.absences();
        this.vitals = condition.vitals();
        this.report = report;
        this.deadLetters = new GiveUp<>(plan, queues, statistics, condition, report);
    }

    /** How it ended with one message. */
    private sealed interface End {
        record Done() implements End {}

        record Again(Instant at) implements End {}

        record Dead() implements End {}
    }

    private static final End DONE = new End.Done();
    private static final End DEAD = new End.Dead();

    /** One call of a handler, which may find something away itself. */
    private static final class Attempt {
        private boolean inHandler;
    }

    /**
     * @return false when there is nothing to do now
     */
    boolean runOnce() {
        Instant now = clock.instant();
        List<Lane> lanes = queues.take(now, plan.options.batch());
        try {
            if (countOf(lanes) > 1) {
                handleBatch(lanes, now);
            } else {
                lanes.forEach(this::handleOneByOne);
            }
        } catch (Throwable e) {
            lanes.forEach(lane -> queues.release(lane, now.plus(waits.longest())));
            Defects.report(log, vitals, plan.name, lanes.size() + " keys could not be worked on", e);
        }
        return !lanes.isEmpty();
    }

    private static int countOf(List<Lane> lanes) {
        return lanes.stream().mapToInt(lane -> lane.taken().size()).sum();
    }

    private void handleBatch(List<Lane> lanes, Instant now) {
        List<Held> letIn = new ArrayList<>();
        List<Lane> open;
        boolean handled;
        try {
            open = withoutThoseThatWait(lanes, now, letIn);
            handled = countOf(open) > 1 && handleTogether(open);
        } finally {
            letIn.forEach(absences::ended);
        }
        if (!handled) {
            open.forEach(this::handleOneByOne);
        }
    }

    /**
     * A lane goes as far as its first event whose type waits for something; without any before that one it is released.
     *
     * @param letIn gets those whose try this is
     */
    private List<Lane> withoutThoseThatWait(List<Lane> lanes, Instant now, List<Held> letIn) {
        List<Lane> open = new ArrayList<>();
        for (Lane lane : lanes) {
            int ready = 0;
            Optional<Instant> wait = Optional.empty();
            while (ready < lane.taken().size() && wait.isEmpty()) {
                wait = absences.enter(lane.taken().get(ready), now, letIn);
                ready += wait.isEmpty() ? 1 : 0;
            }
            if (ready == 0) {
                queues.release(lane, wait.orElse(now));
            } else {
                queues.shorten(lane, ready);
                open.add(lane);
            }
        }
        return open;
    }

    /**
     * All in one transaction.
     *
     * @return false when that failed and each is to be tried alone
     */
    private boolean handleTogether(List<Lane> lanes) {
        List<Held> together =
                lanes.stream().flatMap(lane -> lane.taken().stream()).toList();
        List<ReceivedEvent> events = together.stream()
                .map(held -> Objects.requireNonNull(held.event))
                .toList();
        Attempt attempt = new Attempt();
        List<Outcome> outcomes;
        try {
            outcomes = plan.transactions.call(transaction -> plan.inbox.handleAll(
                    transaction, plan.name, events, this::incoming, (open, event) -> call(open, event, attempt)));
        } catch (Exception | Error e) {
            if (!attempt.inHandler && Failure.of(e, plan.meansAway) == Failure.AWAY) {
                closeForAWhile(e);
                lanes.forEach(lane -> queues.release(lane, Instant.MIN));
                return true;
            }
            log.debug("Consumer {}: {} keys are handled one by one now: {}", plan.name, lanes.size(), e.getClass());
            return false;
        }
        committed();
        for (int i = 0; i < events.size(); i++) {
            count(together.get(i), outcomes.get(i));
        }
        for (Lane lane : lanes) {
            lane.taken().forEach(held -> queues.done(lane));
            queues.release(lane, Instant.MIN);
        }
        return true;
    }

    private void handleOneByOne(Lane lane) {
        for (Held held : lane.taken()) {
            End end = held.givenUp == null ? handle(held) : DEAD;
            if (end instanceof End.Again again) {
                queues.release(lane, again.at());
                return;
            }
            if (end instanceof End.Dead) {
                deadLetters.begin(lane, held);
                return;
            }
            queues.done(lane);
        }
        queues.release(lane, Instant.MIN);
    }

    private End handle(Held held) {
        if (held.event == null) {
            return dead(held, Objects.requireNonNull(held.malformed));
        }
        Optional<Instant> wait = absences.enter(held, clock.instant());
        if (wait.isPresent()) {
            return new End.Again(wait.get());
        }
        ReceivedEvent event = held.event;
        Attempt attempt = new Attempt();
        try {
            Outcome outcome = plan.transactions.call(transaction ->
                    plan.inbox.handleOnce(transaction, plan.name, incoming(event), open -> call(open, event, attempt)));
            committed();
            count(held, outcome);
            return DONE;
        } catch (Exception | Error e) {
            return switch (Failure.of(e, plan.meansAway)) {
                case AWAY -> attempt.inHandler ? awayForHandler(held, e) : closeForAWhile(e);
                case CONFLICT -> lost(held);
                case BUSY -> new End.Again(clock.instant().plus(waits.busy()));
                case PERMANENT -> {
                    statistics.failures.increment();
                    held.attempts++;
                    yield dead(held, Failure.messageOf(e));
                }
                case FAILED -> failed(held, event, e);
            };
        } finally {
            absences.ended(held);
        }
    }

    private void call(T transaction, ReceivedEvent event, Attempt attempt) throws Exception {
        Registration<T> registration = Objects.requireNonNull(plan.handlerOf(event.type()));
        attempt.inHandler = true;
        registration.handler().handle(transaction, event);
        attempt.inHandler = false;
    }

    private Incoming incoming(ReceivedEvent event) {
        return new Incoming(event.id(), plan.version.apply(event));
    }

    private End dead(Held held, String error) {
        held.givenUp = new GivenUp(error, wall.instant());
        return DEAD;
    }

    private End failed(Held held, ReceivedEvent event, Throwable e) {
        statistics.failures.increment();
        held.attempts++;
        Optional<Duration> wait = plan.options.retry().afterAttempt(held.attempts);
        if (wait.isEmpty()) {
            return dead(held, Failure.messageOf(e));
        }
        // The text of somebody's exception may have personal data in it; the dead letter has it, the log does not.
        log.warn(
                "Consumer {}: event {} ({}) failed with {} (attempt {} of {}); its key waits, again in {} ms.",
                plan.name,
                Printable.of(event.id()),
                event.type(),
                e.getClass().getName(),
                held.attempts,
                plan.options.retry().retries() + 1,
                wait.get().toMillis());
        return new End.Again(clock.instant().plus(wait.get()));
    }

    /** Nobody's fault, however often: it may be a key that many want. Told of when it has been so for some time. */
    private End lost(Held held) {
        held.conflicts++;
        Duration wait = waits.conflict(held.conflicts);
        if (wait.equals(waits.longest())) {
            vitals.conflicts(report.lost(held, wait.toMillis()));
        }
        return new End.Again(clock.instant().plus(wait));
    }

    private End awayForHandler(Held held, Throwable e) {
        Instant now = clock.instant();
        String reason = "What the handler of " + held.type() + " needs is away ("
                + e.getClass().getName() + ").";
        Absences.Wait wait = absences.away(held, now, reason);
        // Many may wait alone, each for long: of one of them the first times are told, then fewer and fewer.
        boolean told = !wait.alone() || Integer.bitCount(held.timesAway) == 1;
        log.atLevel(told ? Level.WARN : Level.DEBUG)
                .log(
                        "Consumer {}: {} Event {} and {} wait; nothing is counted, again in {} ms.",
                        plan.name,
                        reason,
                        Printable.of(Objects.requireNonNull(held.event).id()),
                        wait.alone() ? "its key" : "its type",
                        wait.time().toMillis());
        return new End.Again(now.plus(wait.time()));
    }

    private End closeForAWhile(Throwable e) {
        Instant now = clock.instant();
        String reason = Failure.messageOf(e);
        Duration wait = absences.everythingAway(now, reason);
        queues.closeUntil(now.plus(wait));
        log.warn(
                "Consumer {}: {} Nothing is acknowledged and nothing counted meanwhile; again in {} ms.",
                plan.name,
                reason,
                wait.toMillis());
        return new End.Again(now);
    }

    private void committed() {
        statistics.commits.increment();
        absences.everythingPresent();
    }

    private void count(Held held, Outcome outcome) {
        if (outcome instanceof Outcome.Duplicate) {
            statistics.duplicates.increment();
        } else if (outcome instanceof Outcome.Stale) {
            statistics.stale.increment();
        } else if (outcome instanceof Outcome.Handled handled) {
            statistics.handled.increment();
            absences.present(held);
            handled.gapAfter().ifPresent(last -> {
                ReceivedEvent event = Objects.requireNonNull(held.event);
                statistics.gaps.increment();
                log.warn(
                        "Consumer {}: event {} ({}) came right after version {} of its entity: versions between are missing.",
                        plan.name,
                        Printable.of(event.id()),
                        event.type(),
                        last);
            });
        }
    }
}
