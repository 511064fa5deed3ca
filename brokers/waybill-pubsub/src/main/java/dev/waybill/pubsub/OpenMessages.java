package dev.waybill.pubsub;

import com.google.pubsub.v1.PubsubMessage;
import com.google.pubsub.v1.ReceivedMessage;
import dev.waybill.pubsub.PubSubSource.Outstanding;
import dev.waybill.spi.InboundMessage;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Received messages that are not acknowledged, polled or not, each with its newest acknowledgement id. A message that is
 * redelivered while it is open keeps its position, so a key that is redelivered while it is being handled is neither duplicated
 * nor reordered. Safe for use by many threads.
 */
final class OpenMessages {
    private final Outstanding most;
    private final Function<PubsubMessage, PubSubMessage> read;
    private final Map<String, Open> open = new LinkedHashMap<>();
    private final Deque<PubSubMessage> arrived = new ArrayDeque<>();
    private long bytes;
    private boolean woken;

    private record Open(PubSubMessage message, String ackId) {}

    OpenMessages(Outstanding most, Function<PubsubMessage, PubSubMessage> read) {
        this.most = most;
        this.read = read;
    }

    synchronized void takeIn(List<ReceivedMessage> received) {
        for (ReceivedMessage each : received) {
            String id = each.getMessage().getMessageId();
            Open known = open.get(id);
            if (known == null) {
                PubSubMessage message = read.apply(each.getMessage());
                arrived.addLast(message);
                bytes += message.bytes();
                open.put(id, new Open(message, each.getAckId()));
            } else {
                open.put(id, new Open(known.message(), each.getAckId()));
            }
        }
        notifyAll();
    }

    synchronized boolean hasRoom() {
        return open.size() < most.messages() && bytes < most.bytes();
    }

    /** Waits for messages or a wake-up, at most the given time. */
    synchronized List<InboundMessage> give(int atMost, Duration wait) throws InterruptedException {
        long deadline = System.nanoTime() + wait.toNanos();
        while (!woken && (atMost == 0 || arrived.isEmpty())) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                break;
            }
            wait(left / 1_000_000, (int) (left % 1_000_000));
        }
        woken = false;
        List<InboundMessage> given = new ArrayList<>();
        while (given.size() < atMost && !arrived.isEmpty()) {
            given.add(arrived.removeFirst());
        }
        return given;
    }

    synchronized void wake() {
        woken = true;
        notifyAll();
    }

    synchronized boolean isOpen(InboundMessage message) {
        return find(message).isPresent();
    }

    private Optional<Open> find(InboundMessage message) {
        return message instanceof PubSubMessage ours
                ? Optional.ofNullable(open.get(ours.id()))
                        .filter(known -> known.message().equals(ours))
                : Optional.empty();
    }

    /**
     * These messages are handled.
     *
     * @return what to acknowledge
     */
    synchronized List<String> done(Collection<InboundMessage> messages) {
        List<String> ackIds = new ArrayList<>();
        for (InboundMessage each : messages) {
            find(each).ifPresent(known -> {
                ackIds.add(known.ackId());
                open.remove(known.message().id());
                bytes -= known.message().bytes();
            });
        }
        return ackIds;
    }

    /** In the order of arrival: the emulator redelivers in the order of the request. */
    synchronized List<String> ackIds() {
        return open.values().stream().map(Open::ackId).toList();
    }
}
