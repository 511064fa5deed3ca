package dev.waybill.pubsub;

import com.google.api.core.ApiFuture;
import com.google.pubsub.v1.PullResponse;
import com.google.pubsub.v1.ReceivedMessage;
import dev.waybill.spi.SourceException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * What waits on a subscription of dead letters. Pub/Sub shows a message only by giving it out, so looking is taking, and what
 * was taken is kept from others for a while: whoever deals with one letter after the other need not look each time. One
 * thread.
 */
final class LeasedLetters {
    /** So many are looked at. */
    static final int MOST = 10_000;

    private static final int MOST_AT_ONCE = 1_000;
    private static final Duration LEASE = Duration.ofSeconds(60);
    /** After this it could be somebody else's before we are done with it. */
    private static final Duration FRESH = Duration.ofSeconds(40);
    /** If nothing has come for so long there is nothing more. */
    private static final Duration WAIT = Duration.ofSeconds(2);

    private static final Duration LAST_LOOK = Duration.ofSeconds(10);

    private final PullClient client;
    private final PubSubErrors errors;
    private final String subscription;
    private final String topic;
    private final Map<String, Leased> letters = new HashMap<>();

    private record Leased(PubSubMessage message, String ackId, long freshUntil) {
        boolean isFresh() {
            return System.nanoTime() - freshUntil < 0;
        }
    }

    LeasedLetters(PullClient client, PubSubErrors errors, String subscription, String topic) {
        this.client = client;
        this.errors = errors;
        this.subscription = subscription;
        this.topic = topic;
    }

    /** Takes all that is there. */
    List<PubSubMessage> takeAll() {
        letters.values().removeIf(letter -> !letter.isFresh());
        while (letters.size() < MOST) {
            List<ReceivedMessage> received = look();
            if (received.isEmpty()) {
                break;
            }
            await(client.keep(received.stream().map(ReceivedMessage::getAckId).toList(), LEASE));
            long freshUntil = System.nanoTime() + FRESH.toNanos();
            for (ReceivedMessage each : received) {
                PubSubMessage message = new PubSubMessage(subscription, topic, each.getMessage());
                letters.put(message.place(), new Leased(message, each.getAckId(), freshUntil));
            }
        }
        return letters.values().stream().map(Leased::message).toList();
    }

    private List<ReceivedMessage> look() {
        try {
            return client.pull(MOST_AT_ONCE, WAIT).get().getReceivedMessagesList();
        } catch (ExecutionException e) {
            if (!PubSubErrors.isNoAnswer(cause(e))) {
                throw errors.whenReading(client.subscription(), cause(e));
            }
            PullResponse last = await(client.pullNow(MOST_AT_ONCE, LAST_LOOK));
            return last.getReceivedMessagesList();
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    Optional<PubSubMessage> find(String place) {
        Optional<PubSubMessage> known = fresh(place).map(Leased::message);
        if (known.isPresent()) {
            return known;
        }
        takeAll();
        if (fresh(place).isEmpty() && letters.size() >= MOST) {
            throw new SourceException(
                    "More than " + MOST + " letters wait in " + subscription + ", and " + place
                            + " is not among those that came first: deal with them first.",
                    new IllegalStateException(letters.size() + " letters"));
        }
        return fresh(place).map(Leased::message);
    }

    private Optional<Leased> fresh(String place) {
        return Optional.ofNullable(letters.get(place)).filter(Leased::isFresh);
    }

    void acknowledge(PubSubMessage letter) {
        Leased leased = letters.remove(letter.place());
        if (leased != null) {
            await(client.acknowledge(List.of(leased.ackId())));
        }
    }

    /** Gives back what was taken. */
    void release() {
        List<String> ackIds = letters.values().stream().map(Leased::ackId).toList();
        letters.clear();
        if (!ackIds.isEmpty()) {
            await(client.keep(ackIds, Duration.ZERO));
        }
    }

    void close() {
        client.shutdownNow();
    }

    private <R> R await(ApiFuture<R> request) {
        try {
            return request.get();
        } catch (ExecutionException e) {
            throw errors.whenReading(client.subscription(), cause(e));
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private SourceException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new SourceException("Interrupted while " + subscription + " was read; the dead letters stay.", e);
    }

    private static Throwable cause(ExecutionException e) {
        @Nullable Throwable cause = e.getCause();
        return cause == null ? e : cause;
    }
}
