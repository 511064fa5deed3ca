package dev.waybill.inbox;

import dev.waybill.Inbox.Outcome;
import dev.waybill.Incoming;
import dev.waybill.format.ReceivedEvent;
import dev.waybill.inbox.ConsumerListener.Handling;
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
 * The path of an event through a consumer: take → transaction { inbox, handler } → done, retried, or dead. {@link #runOnce} is
 * one step and completes all its effects: whatever is thrown, the keys it took are released. Safe for use by many threads, each
 * of which works on its own keys.
 *
 * <p><b>Which failures count.</b> A handler that fails counts as an attempt of its event. A transaction conflict and an
 * unavailable dependency do not: the event is handled again until it succeeds. A dependency that the handler found unavailable
 * delays events of its type; an unavailable inbox or database delays all. The key of an event that is given up continues only
 * when its dead letter is acknowledged.
 */
final class HandleNext<T> {
    private static final Logger log = LoggerFactory.getLogger(HandleNext.class);

    private final ConsumerParts<T> parts;
    private final KeyQueues queues;
    private final ConsumerStatistics statistics;
    private final InstantSource clock;
    private final InstantSource wall;
    private final Waits waits;
    private final Outages outages;
    private final CurrentProblems problems;
    private final ProblemReport report;
    private final GiveUp<T> deadLetters;

    HandleNext(
            ConsumerParts<T> parts,
            KeyQueues queues,
            ConsumerStatistics statistics,
            SharedState shared,
            ProblemReport report) {
        this.parts = parts;
        this.queues = queues;
        this.statistics = statistics;
        this.clock = shared.clock();
        this.wall = shared.wall();
        this.waits = shared.waits();
        this.outages = shared.outages();
        this.problems = shared.problems();
        this.report = report;
        this.deadLetters = new GiveUp<>(parts, queues, statistics, shared, report);
    }

    /** The result for one message. */
    private sealed interface End {
        record Done() implements End {}

        record Again(Instant at) implements End {}

        record Dead() implements End {}
    }

    private static final End DONE = new End.Done();
    private static final End DEAD = new End.Dead();

    /** One attempt, and whether the failure occurred inside the handler. */
    private static final class Attempt {
        private boolean inHandler;
    }

    /**
     * @return false if there is nothing to do now
     */
    boolean runOnce() {
        Instant now = clock.instant();
        List<Lane> lanes = queues.take(now, parts.options.batch());
        try {
            if (countOf(lanes) > 1) {
                handleBatch(lanes, now);
            } else {
                lanes.forEach(this::handleOneByOne);
            }
        } catch (Throwable e) {
            lanes.forEach(lane -> queues.release(lane, now.plus(waits.longest())));
            Defects.report(log, problems, parts.name, lanes.size() + " keys could not be processed", e);
        }
        return !lanes.isEmpty();
    }

    private static int countOf(List<Lane> lanes) {
        return lanes.stream().mapToInt(lane -> lane.taken().size()).sum();
    }

    private void handleBatch(List<Lane> lanes, Instant now) {
        List<HeldMessage> letIn = new ArrayList<>();
        List<Lane> open;
        boolean handled;
        try {
            open = withoutThoseThatWait(lanes, now, letIn);
            handled = countOf(open) > 1 && handleTogether(open);
        } finally {
            letIn.forEach(outages::ended);
        }
        if (!handled) {
            open.forEach(this::handleOneByOne);
        }
    }

    /**
     * Limits each lane to the events before the first one whose type waits; a lane without such events is released.
     *
     * @param letIn receives the events that are tried
     */
    private List<Lane> withoutThoseThatWait(List<Lane> lanes, Instant now, List<HeldMessage> letIn) {
        List<Lane> open = new ArrayList<>();
        for (Lane lane : lanes) {
            int ready = 0;
            Optional<Instant> wait = Optional.empty();
            while (ready < lane.taken().size() && wait.isEmpty()) {
                wait = outages.enter(lane.taken().get(ready), now, letIn);
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
     * Handles all events in one transaction.
     *
     * @return false if that failed and each must be handled separately
     */
    private boolean handleTogether(List<Lane> lanes) {
        List<HeldMessage> together =
                lanes.stream().flatMap(lane -> lane.taken().stream()).toList();
        List<ReceivedEvent> events = together.stream()
                .map(held -> Objects.requireNonNull(held.event))
                .toList();
        Attempt attempt = new Attempt();
        List<Outcome> outcomes;
        try {
            outcomes = parts.transactions.call(transaction -> parts.inbox.handleAll(
                    transaction, parts.name, events, this::incoming, (open, event) -> call(open, event, attempt)));
        } catch (Throwable e) {
            if (!attempt.inHandler && Failure.of(e, parts.meansUnavailable) == Failure.UNAVAILABLE) {
                closeForAWhile(e);
                lanes.forEach(lane -> queues.release(lane, Instant.MIN));
                return true;
            }
            log.debug("Consumer {}: {} keys are handled one by one now: {}", parts.name, lanes.size(), e.getClass());
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
        for (HeldMessage held : lane.taken()) {
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

    private End handle(HeldMessage held) {
        if (held.event == null) {
            return dead(held, Objects.requireNonNull(held.malformed));
        }
        Optional<Instant> wait = outages.enter(held, clock.instant());
        if (wait.isPresent()) {
            return new End.Again(wait.get());
        }
        ReceivedEvent event = held.event;
        Attempt attempt = new Attempt();
        try {
            Outcome outcome = parts.transactions.call(transaction -> parts.inbox.handleOnce(
                    transaction, parts.name, incoming(event), open -> call(open, event, attempt)));
            committed();
            count(held, outcome);
            return DONE;
        } catch (Throwable e) {
            return switch (Failure.of(e, parts.meansUnavailable)) {
                case UNAVAILABLE -> attempt.inHandler ? awayForHandler(held, e) : closeForAWhile(e);
                case CONFLICT -> lost(held);
                case BUSY -> new End.Again(clock.instant().plus(waits.busy()));
                case PERMANENT -> {
                    statistics.failures.increment();
                    held.attempts++;
                    yield dead(held, Failure.messageOf(e));
                }
                case FAILED -> failed(held, e);
            };
        } finally {
            outages.ended(held);
        }
    }

    private void call(T transaction, ReceivedEvent event, Attempt attempt) throws Exception {
        Registration<T> registration = Objects.requireNonNull(parts.handlerOf(event.type()));
        EventInLogs logs = EventInLogs.begin(event);
        Handling handling = parts.listener.handling(event);
        Throwable failure = null;
        attempt.inHandler = true;
        try {
            registration.handler().handle(transaction, event);
            attempt.inHandler = false;
        } catch (Throwable e) {
            failure = e;
            throw e;
        } finally {
            parts.userCode.returned("handler", registration.handler(), event.id());
            handling.ended(Optional.ofNullable(failure));
            logs.end();
        }
    }

    private Incoming incoming(ReceivedEvent event) {
        return new Incoming(event.id(), parts.version.apply(event), Optional.of(event.type()), event.source());
    }

    private End dead(HeldMessage held, String error) {
        held.givenUp = new GivenUp(error, wall.instant());
        return DEAD;
    }

    private End failed(HeldMessage held, Throwable e) {
        statistics.failures.increment();
        held.attempts++;
        Optional<Duration> wait = parts.options.retry().afterAttempt(held.attempts);
        if (wait.isEmpty()) {
            return dead(held, Failure.messageOf(e));
        }
        report.failed(
                held, e, parts.options.retry().words(held.attempts), wait.get().toMillis());
        return new End.Again(clock.instant().plus(wait.get()));
    }

    /** Conflicts are never counted as attempts, because many transactions may use the same rows. Reported if they persist. */
    private End lost(HeldMessage held) {
        held.conflicts++;
        Duration wait = waits.conflict(held.conflicts);
        if (wait.equals(waits.longest())) {
            problems.conflicts(report.lost(held, wait.toMillis()));
        }
        return new End.Again(clock.instant().plus(wait));
    }

    private End awayForHandler(HeldMessage held, Throwable e) {
        Instant now = clock.instant();
        String reason = "A dependency of the handler of " + held.type() + " is unavailable ("
                + e.getClass().getName() + ").";
        Outages.Wait wait = outages.away(held, now, reason);
        // Many events may wait alone for a long time, so each is logged less and less often.
        boolean told = !wait.alone() || Integer.bitCount(held.timesAway) == 1;
        ProblemReport.Line.of(
                        told ? Level.WARN : Level.DEBUG,
                        held,
                        "Consumer " + parts.name + ": " + Printable.of(reason) + " Event "
                                + Printable.of(
                                        Objects.requireNonNull(held.event).id()) + " and "
                                + (wait.alone() ? "its key" : "its type")
                                + " wait; no attempt is counted. Trying again in "
                                + wait.time().toMillis() + " ms.")
                .log(log);
        return new End.Again(now.plus(wait.time()));
    }

    private End closeForAWhile(Throwable e) {
        Instant now = clock.instant();
        String reason = Failure.messageOf(e);
        Duration wait = outages.everythingAway(now, reason);
        queues.closeUntil(now.plus(wait));
        log.warn(
                "Consumer {}: {} Nothing is acknowledged and no attempt is counted. Trying again in {} ms.",
                parts.name,
                reason,
                wait.toMillis());
        return new End.Again(now);
    }

    private void committed() {
        statistics.commits.increment();
        outages.everythingPresent();
    }

    private void count(HeldMessage held, Outcome outcome) {
        parts.listener.handled(Objects.requireNonNull(held.event), outcome);
        if (outcome instanceof Outcome.Duplicate) {
            statistics.duplicates.increment();
        } else if (outcome instanceof Outcome.Stale) {
            statistics.stale.increment();
        } else if (outcome instanceof Outcome.Handled handled) {
            statistics.handled.increment();
            outages.present(held);
            handled.gapAfter().ifPresent(last -> {
                ReceivedEvent event = Objects.requireNonNull(held.event);
                statistics.gaps.increment();
                ProblemReport.Line.of(
                                Level.WARN,
                                held,
                                "Consumer " + parts.name + ": event " + Printable.of(event.id()) + " ("
                                        + Printable.of(event.type()) + ") followed version " + last
                                        + " of its entity: versions between them are missing.")
                        .log(log);
            });
        }
    }
}
