package dev.waybill.pubsub;

import com.google.pubsub.v1.PubsubMessage;
import com.google.pubsub.v1.ReceivedMessage;
import com.google.pubsub.v1.Subscription;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * What one subscription has out, as the real service sees it: a message that is not acknowledged before its deadline comes
 * again. With order, a key goes to one reader while any of its messages is out, and when one comes again so do all behind
 * it, acknowledged or not.
 */
final class Deliveries {
    private final TopicLog log;
    private final Subscription subscription;
    private final List<Item> items = new ArrayList<>();
    private int count;

    private enum State {
        WAITING,
        OUT,
        DONE
    }

    private static final class Item {
        private final PubsubMessage message;
        private State state = State.WAITING;
        private String ackId = "";
        private Object reader = "";
        private long deadline;
        private int deliveries;

        private Item(PubsubMessage message) {
            this.message = message;
        }

        private boolean isOutTo(Object whom) {
            return state == State.OUT && reader == whom;
        }
    }

    Deliveries(TopicLog log, Subscription subscription) {
        this.log = log;
        this.subscription = subscription;
    }

    int ackDeadlineSeconds() {
        return Math.max(10, subscription.getAckDeadlineSeconds());
    }

    synchronized List<ReceivedMessage> take(Object reader, int atMost, int seconds) {
        readOn();
        long now = System.nanoTime();
        comesAgain(item -> item.state == State.OUT && item.deadline - now < 0);
        List<ReceivedMessage> given = new ArrayList<>();
        Set<String> elsewhere = new HashSet<>();
        for (Item item : items) {
            String key = item.message.getOrderingKey();
            if (item.state == State.OUT && item.reader != reader && isOrdered(item)) {
                elsewhere.add(key);
            } else if (item.state == State.WAITING && given.size() < atMost && !elsewhere.contains(key)) {
                item.state = State.OUT;
                item.reader = reader;
                item.deadline = now + TimeUnit.SECONDS.toNanos(seconds);
                item.deliveries++;
                item.ackId = "delivery-" + ++count;
                given.add(ReceivedMessage.newBuilder()
                        .setAckId(item.ackId)
                        .setMessage(item.message)
                        .build());
            }
        }
        return given;
    }

    private void readOn() {
        Optional<PubsubMessage> next = log.get(subscription.getTopic(), items.size());
        while (next.isPresent()) {
            items.add(new Item(next.get()));
            next = log.get(subscription.getTopic(), items.size());
        }
    }

    private boolean isOrdered(Item item) {
        return subscription.getEnableMessageOrdering()
                && !item.message.getOrderingKey().isEmpty();
    }

    private void comesAgain(Predicate<Item> which) {
        Set<String> keys = new HashSet<>();
        for (Item item : items) {
            if (which.test(item) || (isOrdered(item) && keys.contains(item.message.getOrderingKey()))) {
                item.state = State.WAITING;
                item.ackId = "";
                if (isOrdered(item)) {
                    keys.add(item.message.getOrderingKey());
                }
            }
        }
    }

    /** As when all deadlines had passed. */
    synchronized void expire() {
        comesAgain(item -> item.state == State.OUT);
    }

    synchronized void acknowledge(Collection<String> ackIds) {
        items.stream().filter(item -> ackIds.contains(item.ackId)).forEach(item -> item.state = State.DONE);
    }

    synchronized void modify(Collection<String> ackIds, int seconds) {
        if (seconds == 0) {
            comesAgain(item -> item.state == State.OUT && ackIds.contains(item.ackId));
        } else {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
            items.stream().filter(item -> ackIds.contains(item.ackId)).forEach(item -> item.deadline = deadline);
        }
    }

    synchronized int outTo(Object reader) {
        return (int) items.stream().filter(item -> item.isOutTo(reader)).count();
    }

    /** How often each message was delivered, in the order of arrival. */
    synchronized List<Integer> counts() {
        return items.stream().map(item -> item.deliveries).toList();
    }

    synchronized int unacknowledged() {
        readOn();
        return (int) items.stream().filter(item -> item.state != State.DONE).count();
    }
}
