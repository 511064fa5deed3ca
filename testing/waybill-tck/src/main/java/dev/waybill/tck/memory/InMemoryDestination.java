package dev.waybill.tck.memory;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Delivery.Retry;
import dev.waybill.spi.Delivery.Unavailable;
import dev.waybill.spi.Destination;
import dev.waybill.spi.Guarantees;
import dev.waybill.spi.Guarantees.KeyOrder;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Seen;
import dev.waybill.spi.Utf8;
import dev.waybill.spi.support.FailedKeys;
import dev.waybill.spi.support.InFlightBatch;
import dev.waybill.spi.support.InFlightBatch.Place;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

    private FailedKeys failedKeys = new FailedKeys();
    private boolean away;
    private boolean holding;
    private boolean ended;
    /** Number of the last batch that became unavailable; nothing is sent before its publisher has seen it. */
    private long lastLost = -1;

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

    /** Answers the next messages of the key, that is {@link dev.waybill.spi.EventFacts#orderKey()}, with the outcome. */
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
        }
        lost.forEach(each -> each.lose("the broker in memory went away"));
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
    public CompletionStage<List<Delivery>> publish(List<OutboundMessage> batch, Seen seen) {
        Out handed;
        List<Out> lost;
        synchronized (this) {
            failedKeys.forgetWhatWas(seen);
            handed = new Out(new InFlightBatch(batch, seen), new ArrayList<>());
            boolean broken = away || ended || lastLost >= seen.below();
            for (int i = 0; i < batch.size(); i++) {
                Delivery outcome = broken ? unavailable() : deliver(new Place(handed.batch, i));
                broken |= outcome instanceof Unavailable;
                handed.outcomes.add(outcome);
            }
            lost = broken ? takeOut() : List.of();
            if (broken) {
                lastLost = seen.number();
            } else if (holding) {
                out.add(handed);
                return handed.batch.outcomes();
            }
        }
        lost.forEach(each -> each.lose("the broker in memory failed"));
        handed.acknowledge();
        return handed.batch.outcomes();
    }

    @Override
    public void abort() {
        List<Out> lost;
        synchronized (this) {
            lost = takeOut();
            failedKeys = new FailedKeys();
            lastLost = -1;
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

    private Delivery deliver(Place place) {
        OutboundMessage message = place.message();
        Delivery outcome = failedKeys.holdsBack(place) ? Delivery.BEHIND : answer(message);
        boolean waits =
                outcome instanceof Retry || outcome instanceof Delivery.InDoubt || outcome instanceof Delivery.Behind;
        if (waits && guarantees.order() != KeyOrder.ONE_AT_A_TIME) {
            failedKeys.add(place);
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

    private Delivery unavailable() {
        return new Unavailable(ended ? "the broker in memory is closed" : "the broker in memory is away");
    }

    private List<Out> takeOut() {
        List<Out> all = List.copyOf(out);
        all.forEach(each -> lastLost = Math.max(lastLost, each.batch.seen().number()));
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

    private record Out(InFlightBatch batch, List<Delivery> outcomes) {
        void acknowledge() {
            answer(outcomes);
        }

        void lose(String why) {
            answer(outcomes.stream()
                    .map(outcome -> outcome instanceof Delivery.Delivered ? (Delivery) new Unavailable(why) : outcome)
                    .toList());
        }

        private void answer(List<Delivery> deliveries) {
            for (int i = 0; i < deliveries.size(); i++) {
                if (batch.answer(i, deliveries.get(i))) {
                    batch.complete();
                }
            }
        }
    }
}
