package dev.waybill.tck.memory;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Delivery.Retry;
import dev.waybill.spi.Delivery.Unavailable;
import dev.waybill.spi.Destination;
import dev.waybill.spi.Guarantees;
import dev.waybill.spi.Guarantees.KeyOrder;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Utf8;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/**
 * A programmable in-memory broker: it can fail messages, become unavailable, and withhold acknowledgements. It keeps
 * order according to the {@link KeyOrder} it was created with. Safe for use by many threads; stages complete on the
 * thread that publishes, releases, aborts or closes.
 */
public final class InMemoryDestination implements Destination {
    private static final long MAX_MESSAGE_BYTES = 1 << 20;

    private final Guarantees guarantees;
    private final Map<String, List<OutboundMessage>> topics = new LinkedHashMap<>();
    private final List<OutboundMessage> log = new ArrayList<>();
    private final List<Fault> faults = new ArrayList<>();
    /** Published and not acknowledged, in order. */
    private final Deque<Out> out = new ArrayDeque<>();
    /** Keys that one of theirs was answered Retry or InDoubt for, until the relay knows. */
    private final Map<Utf8, Closed> closed = new HashMap<>();

    private boolean away;
    private boolean holding;
    private boolean ended;
    /** What was out became unavailable, and the relay may not have seen it yet. */
    private boolean untold;

    /** Threads that are just telling it. */
    private int telling;

    private long batches;
    private long seenBelow;

    /** A broker that keeps order with any number of messages in flight, as Kafka does. */
    public InMemoryDestination() {
        this(KeyOrder.KEPT_IN_FLIGHT);
    }

    public InMemoryDestination(KeyOrder order) {
        this.guarantees = new Guarantees(order, MAX_MESSAGE_BYTES);
    }

    /** The messages of the topic, in the order of arrival. */
    public synchronized List<OutboundMessage> delivered(String topic) {
        return List.copyOf(topics.getOrDefault(topic, List.of()));
    }

    /** The messages of all topics, in the order of arrival. */
    public synchronized List<OutboundMessage> delivered() {
        return List.copyOf(log);
    }

    /** Answers the next messages to the topic with the given outcome. */
    public void failTopic(String topic, int times, Delivery outcome) {
        fail(message -> message.topic().equals(topic), times, outcome);
    }

    /** Answers the next messages of the key, that is {@link dev.waybill.spi.StoredEvent#orderKey()}, with the outcome. */
    public void failKey(String orderKey, int times, Delivery outcome) {
        Utf8 key = Utf8.of(orderKey);
        fail(message -> message.event().orderKey().equals(key), times, outcome);
    }

    private synchronized void fail(Predicate<OutboundMessage> which, int times, Delivery outcome) {
        faults.add(new Fault(which, times, outcome));
    }

    /** From now on no message fails. */
    public synchronized void forgetFaults() {
        faults.clear();
    }

    /** From now on everything is unavailable, including unacknowledged messages in flight. */
    public void goAway() {
        List<Out> lost;
        synchronized (this) {
            away = true;
            lost = takeOut();
            untold |= !lost.isEmpty();
            telling++;
        }
        lost.forEach(each -> each.lose("the broker in memory went away"));
        synchronized (this) {
            telling--;
        }
    }

    public synchronized void comeBack() {
        away = false;
    }

    /** From now on messages arrive, but their batches stay in flight until {@link #release(int)}. */
    public synchronized void holdAcknowledgements() {
        holding = true;
    }

    /** Acknowledges everything, and from now on immediately. */
    public void releaseAll() {
        synchronized (this) {
            holding = false;
        }
        release(Integer.MAX_VALUE);
    }

    /** Acknowledges at most this number of the oldest batches in flight. */
    public void release(int count) {
        for (int i = 0; i < count; i++) {
            Out oldest;
            synchronized (this) {
                oldest = out.poll();
            }
            if (oldest == null) {
                return;
            }
            oldest.acknowledge();
        }
    }

    /** Number of batches that were published and not acknowledged. */
    public synchronized int inFlight() {
        return out.size();
    }

    @Override
    public Guarantees guarantees() {
        return guarantees;
    }

    @Override
    public CompletionStage<List<Delivery>> publish(List<OutboundMessage> batch) {
        Out handed;
        List<Out> lost;
        synchronized (this) {
            reopenKeys();
            handed = new Out(batches++, new CompletableFuture<>(), new ArrayList<>());
            boolean broken = away || ended || untold;
            untold &= telling > 0;
            for (OutboundMessage message : batch) {
                Delivery outcome = broken ? unavailable() : deliver(message, handed.number);
                broken |= outcome instanceof Unavailable;
                handed.outcomes.add(outcome);
            }
            lost = broken ? takeOut() : List.of();
            if (holding && !broken) {
                out.add(handed);
                return handed.stage;
            }
        }
        lost.forEach(each -> each.lose("the broker in memory failed"));
        handed.acknowledge();
        return handed.stage;
    }

    @Override
    public void abort() {
        List<Out> lost;
        synchronized (this) {
            lost = takeOut();
            closed.clear();
            untold = false;
        }
        lost.forEach(each -> each.lose("the relay aborted before the acknowledgement"));
    }

    @Override
    public void close() {
        releaseAll();
        synchronized (this) {
            ended = true;
        }
    }

    private Delivery deliver(OutboundMessage message, long batch) {
        Delivery outcome = isBehind(message) ? Delivery.BEHIND : answer(message);
        boolean waits =
                outcome instanceof Retry || outcome instanceof Delivery.InDoubt || outcome instanceof Delivery.Behind;
        if (waits && guarantees.order() != KeyOrder.ONE_AT_A_TIME) {
            closed.computeIfAbsent(message.event().orderKey(), key -> new Closed())
                    .add(message, batch);
        }
        if (outcome instanceof Delivery.Delivered) {
            topics.computeIfAbsent(message.topic(), topic -> new ArrayList<>()).add(message);
            log.add(message);
        }
        return outcome;
    }

    private Delivery answer(OutboundMessage message) {
        if (message.value().length > MAX_MESSAGE_BYTES) {
            return Delivery.unfit("the message has " + message.value().length + " bytes, at most " + MAX_MESSAGE_BYTES
                    + " are taken");
        }
        for (Fault fault : faults) {
            if (fault.times > 0 && fault.which.test(message)) {
                fault.times--;
                return fault.outcome;
            }
        }
        return Delivery.DELIVERED;
    }

    /** Whether one of its key waits, as far as the relay may not know yet; one that was answered before shows it does. */
    private boolean isBehind(OutboundMessage message) {
        if (closed.isEmpty()) {
            return false;
        }
        Utf8 key = message.event().orderKey();
        Closed state = closed.get(key);
        if (state == null) {
            return false;
        }
        if (state.answered.contains(message.event().id())) {
            closed.remove(key);
            return false;
        }
        return true;
    }

    /** What was complete at the last publish the relay has taken in before this one. */
    private void reopenKeys() {
        Out oldest = out.peek();
        if (guarantees.order() == KeyOrder.KEPT_IN_FLIGHT) {
            closed.values().removeIf(state -> state.lastBatch < seenBelow);
        }
        seenBelow = oldest == null ? batches : oldest.number;
    }

    private Delivery unavailable() {
        return new Unavailable(ended ? "the broker in memory is closed" : "the broker in memory is away");
    }

    private List<Out> takeOut() {
        List<Out> all = List.copyOf(out);
        out.clear();
        return all;
    }

    private static final class Fault {
        private final Predicate<OutboundMessage> which;
        private final Delivery outcome;
        private int times;

        Fault(Predicate<OutboundMessage> which, int times, Delivery outcome) {
            this.which = which;
            this.times = times;
            this.outcome = outcome;
        }
    }

    private static final class Closed {
        private final Set<Utf8> answered = new HashSet<>();
        private long lastBatch;

        void add(OutboundMessage message, long batch) {
            answered.add(message.event().id());
            lastBatch = batch;
        }
    }

    private record Out(long number, CompletableFuture<List<Delivery>> stage, List<Delivery> outcomes) {
        void acknowledge() {
            stage.complete(List.copyOf(outcomes));
        }

        void lose(String why) {
            stage.complete(outcomes.stream()
                    .map(outcome -> outcome instanceof Delivery.Delivered ? (Delivery) new Unavailable(why) : outcome)
                    .toList());
        }
    }
}
