package dev.waybill.relay;

import dev.waybill.relay.OpenTransaction.Entry;
import dev.waybill.relay.RelayCycle.Callbacks;
import dev.waybill.relay.RelayListener.Sending;
import dev.waybill.relay.RelayOptions.OnDead;
import dev.waybill.relay.UserCalls.Kind;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.DestinationUnavailableException;
import dev.waybill.spi.LeaseLostException;
import dev.waybill.spi.LeasedSession;
import dev.waybill.spi.Limits;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.support.CheckedAnswers;
import dev.waybill.spi.transaction.TransactionalDestination;
import dev.waybill.spi.transaction.TransactionalWriter;
import dev.waybill.spi.transaction.WindowPage;
import dev.waybill.spi.transaction.WindowPosition;
import dev.waybill.spi.transaction.WindowSession;
import dev.waybill.spi.transaction.WriterId;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The path of an event through a relay that delivers exactly once: read → route and format → send → commit, together with the
 * position. One thread; opening a writer and commits block it, while the next pages are read on another, which also tells the
 * store of commits. It does not wait for answers.
 *
 * <p><b>What is in a transaction is decided as a whole.</b> When all its messages are delivered, it is committed. Otherwise it is
 * aborted, and its events are read again; those that cannot be published are recorded as dead before that, and not read again.
 *
 * <p><b>What was committed is never inferred.</b> When a commit, or anything else, fails indefinitely, the writer is closed. The
 * next one fences it and reads the position that was committed last, and the session continues from there.
 */
final class TransactionCycle implements Cycle {
    private static final Logger log = LoggerFactory.getLogger(TransactionCycle.class);

    private final ReadAhead pages;
    private final RelayPlan plan;
    private final TransactionalDestination destination;
    private final TransactionSize size;
    private final EventsPerTransaction events;
    private final Callbacks callbacks;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final RouteAndFormat formatting;
    private final Limits limits;
    private final Throttle throttle;
    private final TopicRetries retries;
    private final boolean holds;

    private final OpenTransaction open = new OpenTransaction();
    private @Nullable TransactionalWriter writer;
    /** The position that was committed last, or that the destination had when the writer was opened. */
    private Optional<WindowPosition> committed = Optional.empty();

    private long retryAt;
    /** Whether the open transaction is committed as soon as its messages are answered. */
    private boolean ending;
    /** Why messages without an answer were aborted; null if they were not. */
    private @Nullable String aborted;

    TransactionCycle(ReadAhead pages, RelayPlan plan, InstantSource clock, Callbacks callbacks, LongSupplier nanoTime) {
        this.pages = pages;
        this.plan = plan;
        this.destination = plan.transactionalDestination();
        this.size = plan.transactions().orElseThrow();
        this.events = new EventsPerTransaction(size.maxEvents(), size.linger());
        this.callbacks = callbacks;
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.formatting = new RouteAndFormat(plan, callbacks.calls());
        this.limits = new Limits(
                plan.options().batch().events(),
                plan.options().batch().bytes(),
                destination.guarantees().maxMessageBytes());
        this.throttle = new Throttle(plan.options().rate(), clock);
        this.retries = new TopicRetries(plan.options().retry());
        this.holds = plan.options().onDead() == OnDead.HOLD;
        this.retryAt = nanoTime.getAsLong();
    }

    @Override
    public CycleResult runOnce() {
        if (aborted != null) {
            String why = aborted;
            aborted = null;
            events.failed(open.size(), open.nanosAt(nanoTime.getAsLong()));
            release();
            return new CycleResult.Unavailable(why);
        }
        if (!callbacks.mayPublish()) {
            return CycleResult.FULL;
        }
        long wait = retryAt - nanoTime.getAsLong();
        if (wait > 0) {
            return new CycleResult.Throttled(Duration.ofNanos(wait));
        }
        try {
            return ending ? commit(writer()) : readAndSend(writer());
        } catch (DestinationUnavailableException e) {
            closeWriter();
            events.failed(open.size(), open.nanosAt(nanoTime.getAsLong()));
            release();
            return new CycleResult.Unavailable(String.valueOf(e.getMessage()));
        }
    }

    private CycleResult readAndSend(TransactionalWriter to) {
        Duration throttled = throttle.untilNext();
        if (!throttled.isZero()) {
            return open.isEmpty() ? new CycleResult.Throttled(throttled) : commit(to);
        }
        Optional<WindowPage> page = pages.next(throttle.within(limits.within(events.most())));
        if (page.isEmpty()) {
            return open.isEmpty() ? CycleResult.IDLE : commit(to);
        }
        throttle.claimed(page.get().events().size());
        callbacks.claimed(page.get().events());
        send(page.get(), to);
        return isDue(page.get()) ? commit(to) : CycleResult.WORKED;
    }

    private boolean isDue(WindowPage last) {
        return last.isLast()
                || open.size() >= events.most()
                || open.bytes() >= plan.options().inFlight().bytes()
                || open.nanosAt(nanoTime.getAsLong()) >= size.linger().toNanos();
    }

    /** The writer, after it has fenced all others and the session has resumed behind its position. */
    private TransactionalWriter writer() {
        TransactionalWriter current = writer;
        if (current != null) {
            return current;
        }
        pages.forget();
        // A process that has lost its lease must not fence the one that has it.
        if (!pages.session(LeasedSession::renew)) {
            throw new LeaseLostException(plan.name(), pages.session(LeasedSession::epoch));
        }
        String id = WriterId.of(pages.session(WindowSession::origin), plan.name());
        current = destination.openWriter(id);
        writer = current;
        committed = current.committed().flatMap(WindowPosition::parse);
        WindowSession.Resumed from = pages.session(session -> session.resume(committed));
        String position = committed.map(WindowPosition::toString).orElse("none");
        if (from.mayRepeat()) {
            log.warn(
                    "Relay {}: the position committed at the destination ({}) does not fit the store ({}). It continues from the"
                            + " position that the store has saved: events published since then are published again.",
                    plan.name(),
                    position,
                    from);
        } else {
            log.info("Relay {}: continues as {} (committed position: {}).", plan.name(), id, position);
        }
        return current;
    }

    private void send(WindowPage page, TransactionalWriter to) {
        List<Entry> entries = new ArrayList<>(page.events().size());
        List<Entry> sent = new ArrayList<>(page.events().size());
        List<OutboundMessage> messages = new ArrayList<>(page.events().size());
        List<Integer> places = new ArrayList<>(page.events().size());
        page.events().forEach(event -> {
            Entry entry = new Entry(event);
            entries.add(entry);
            formatting.make(
                    event,
                    message -> {
                        entry.topic = message.topic();
                        sent.add(entry);
                        messages.add(message);
                        places.add(entries.size() - 1);
                    },
                    error -> entry.dead = new Settlement.Dead(error, false, holds));
        });
        open.add(page, entries, nanoTime.getAsLong());
        if (!messages.isEmpty()) {
            Sending sending = callbacks.sending(
                    () -> sent.stream().map(entry -> entry.event).toList(), messages, () -> Duration.ZERO);
            CompletableFuture<CheckedAnswers> answers = new CompletableFuture<>();
            CheckedAnswers.of(
                    destination,
                    messages.size(),
                    () -> callbacks
                            .calls()
                            .in(
                                    Kind.DESTINATION,
                                    destination,
                                    null,
                                    () -> to.publish(messages, index -> page.positionOf(places.get(index)))),
                    checked -> {
                        answers.complete(checked);
                        callbacks.answersArrived();
                    });
            sending.handedOver();
            open.sent(sent, answers, sending, nanoTime.getAsLong());
        }
    }

    /** Once all messages are answered. */
    private CycleResult commit(TransactionalWriter to) {
        ending = true;
        if (!open.takeInAnswers()) {
            return CycleResult.FULL;
        }
        Verdict verdict = judge();
        List<Entry> dead = verdict.dead;
        if (!dead.isEmpty()) {
            pages.session(session -> {
                session.giveUp(
                        dead.stream().map(entry -> entry.event).toList(),
                        dead.stream().map(OpenTransaction::deathOf).toList());
                return session;
            });
            dead.forEach(entry -> entry.givenUp = true);
        }
        if (verdict.unavailable != null) {
            throw new DestinationUnavailableException(verdict.unavailable);
        }
        if (verdict.repeats) {
            if (dead.isEmpty() && open.entries().stream().noneMatch(entry -> entry.retried)) {
                // It would be repeated without a change, and at once.
                throw new DestinationUnavailableException(
                        "a transaction of " + open.size() + " events failed, and none of them is named as the reason");
            }
            events.repeated(open);
            to.abort();
            release();
            pages.session(session -> session.resume(committed));
            return CycleResult.WORKED;
        }
        if (!callbacks.mayPublish()) {
            return CycleResult.FULL;
        }
        WindowPosition end = open.end();
        to.commit(end.toString());
        events.committed(open.size(), open.nanosAt(nanoTime.getAsLong()));
        committed = Optional.of(end);
        callbacks.settled(settlements(Settlement.PUBLISHED), open.events(), true);
        clear();
        pages.committed(end);
        return CycleResult.WORKED;
    }

    /**
     * @param dead events to give up
     * @param repeats whether the transaction must be aborted and repeated
     * @param unavailable why the destination is unavailable; null if it is not
     */
    private record Verdict(
            List<Entry> dead, boolean repeats, @Nullable String unavailable) {}

    private Verdict judge() {
        List<Entry> dead = new ArrayList<>();
        Map<String, Optional<Duration>> waits = new HashMap<>();
        boolean repeats = false;
        @Nullable String unavailable = null;
        for (Entry entry : open.entries()) {
            Delivery answer = entry.answer;
            if (answer != null) {
                String topic = String.valueOf(entry.topic);
                repeats |= !(answer instanceof Delivery.Delivered);
                switch (answer.kind()) {
                    case DELIVERED -> retries.delivered(topic);
                    case BEHIND -> {}
                    case REFUSED -> entry.dead = new Settlement.Dead(answer.error(), true, holds);
                    case RETRY -> {
                        if (waits.computeIfAbsent(topic, retries::failed).isEmpty()) {
                            entry.dead = new Settlement.Dead(answer.error(), true, holds);
                        } else {
                            entry.retried = true;
                        }
                    }
                    case IN_DOUBT, UNAVAILABLE -> unavailable = answer.error();
                }
            }
            if (entry.dead != null) {
                dead.add(entry);
                // Also if it was not sent: the window of this transaction's position was saved before its dead row.
                repeats = true;
            }
        }
        waits.values().forEach(wait -> wait.ifPresent(this::waitFor));
        return new Verdict(dead, repeats, unavailable);
    }

    private void waitFor(Duration wait) {
        retryAt = Math.max(retryAt, nanoTime.getAsLong() + wait.toNanos());
    }

    /** @param others the settlement of the open transaction's events that are neither dead nor retried */
    private List<Settlement> settlements(Settlement others) {
        List<Settlement> settlements = new ArrayList<>(open.size());
        for (Entry entry : open.entries()) {
            if (entry.givenUp) {
                settlements.add(OpenTransaction.deathOf(entry));
            } else if (entry.retried && entry.answer != null) {
                long nanos = Math.max(0, retryAt - nanoTime.getAsLong());
                settlements.add(new Settlement.RetryAt(clock.instant().plusNanos(nanos), entry.answer.error()));
            } else {
                settlements.add(others);
            }
        }
        return settlements;
    }

    /** What was sent is not committed: its events are read again, except dead ones. */
    private void release() {
        List<Settlement> outcomes = settlements(Settlement.RELEASED);
        boolean progress =
                open.entries().stream().anyMatch(entry -> entry.answer instanceof Delivery.Refused || entry.retried);
        if (!outcomes.isEmpty()) {
            callbacks.settled(outcomes, open.events(), progress);
        }
        clear();
        pages.forget();
    }

    private void clear() {
        open.clear();
        ending = false;
    }

    private void closeWriter() {
        TransactionalWriter current = writer;
        writer = null;
        if (current != null) {
            current.close();
        }
    }

    /** A transaction that cannot be committed now is aborted by the next writer. */
    @Override
    public boolean finish() {
        TransactionalWriter current = writer;
        if (current == null || open.isEmpty() || !callbacks.mayPublish()) {
            return true;
        }
        if (!open.takeInAnswers()) {
            return false;
        }
        try {
            commit(current);
        } catch (DestinationUnavailableException e) {
            log.info(
                    "Relay {}: stops without committing its last {} events ({}); the next process publishes them.",
                    plan.name(),
                    open.size(),
                    e.getMessage());
        }
        return true;
    }

    @Override
    public void abandon() {
        closeWriter();
        clear();
    }

    @Override
    public Outgoing.Unanswered unanswered() {
        return open.unanswered(nanoTime.getAsLong());
    }

    /** The next writer aborts what was sent. */
    @Override
    public void abort(String why) {
        aborted = why;
        closeWriter();
    }
}
