package dev.waybill.pubsub;

import com.google.api.core.ApiFuture;
import com.google.pubsub.v1.PullResponse;
import com.google.pubsub.v1.ReceivedMessage;
import dev.waybill.admin.DeadLetterEntry;
import dev.waybill.admin.LetterStaysException;
import dev.waybill.spi.SourceException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * What waits on a subscription of dead letters. Pub/Sub shows a message only by giving it out, so looking is taking, and what
 * was taken is kept from others for a while: whoever deals with one letter after the other need not look each time. What is
 * known to be taken stays known when a request fails, else nobody could see it until it comes back. One thread.
 */
final class LeasedLetters {
    /** So many are looked at. */
    static final int MOST = 10_000;

    private static final int MOST_AT_ONCE = 1_000;
    /** Of the largest there can be, these are 40 MB. */
    private static final int FEW = 4;
    /** So many bytes of messages are held; of other letters it is known what they say of themselves. */
    private static final long MOST_BYTES = 16_000_000;
    /** For one letter that was given back. */
    private static final int MOST_LOOKS = 10;

    private static final Duration LEASE = Duration.ofSeconds(60);
    /** After this it could be somebody else's before we are done with it. */
    private static final Duration FRESH = Duration.ofSeconds(40);
    /** If nothing has come for so long there is nothing more. */
    private static final Duration WAIT = Duration.ofSeconds(2);

    /** Every subscription keeps what it gave out for longer than this, without being asked to. */
    private static final Duration JUST_TAKEN = Duration.ofSeconds(5);

    private static final Duration LAST_LOOK = Duration.ofSeconds(10);

    private final Opening opening;
    private final PubSubErrors errors;
    private final String subscription;
    private final String topic;
    private final Map<String, Leased> letters = new HashMap<>();

    /** Messages in {@link #letters}, in bytes. */
    private long heldBytes;

    private long largest = 1;
    private @Nullable PullClient open;

    /** Opens a client for the subscription. */
    interface Opening {
        PullClient open() throws IOException;
    }

    /**
     * @param message nothing when there was no room for it
     */
    private record Leased(
            DeadLetterEntry entry,
            Instant publishedAt,
            String id,
            String ackId,
            long freshUntil,
            Optional<PubSubMessage> message) {
        /** When they were published, and as Pub/Sub counts where that does not tell. */
        static final Comparator<Leased> OLDEST_FIRST = Comparator.comparing(Leased::publishedAt)
                .thenComparingInt(letter -> letter.id().length())
                .thenComparing(Leased::id);

        boolean isFresh() {
            return System.nanoTime() - freshUntil < 0;
        }
    }

    LeasedLetters(Opening opening, PubSubErrors errors, String subscription, String topic) {
        this.opening = opening;
        this.errors = errors;
        this.subscription = subscription;
        this.topic = topic;
    }

    private PullClient client() {
        PullClient known = open;
        if (known == null) {
            try {
                known = opening.open();
            } catch (IOException e) {
                throw errors.cannotRead(subscription, e);
            }
            open = known;
        }
        return known;
    }

    /** Takes all that is there; the oldest come first. */
    List<DeadLetterEntry> takeAll() {
        letters.values().stream()
                .filter(letter -> !letter.isFresh())
                .map(letter -> letter.entry().place())
                .toList()
                .forEach(this::forget);
        int atMost = FEW;
        while (letters.size() < MOST && take(atMost, "")) {
            // Before it is known how large they are, few: all that are asked for come at once.
            atMost = Math.min(2 * atMost, (int) Math.max(1, Math.min(MOST_AT_ONCE, MOST_BYTES / largest)));
        }
        return letters.values().stream()
                .sorted(Leased.OLDEST_FIRST)
                .map(Leased::entry)
                .toList();
    }

    /**
     * @param wanted the place of a letter whose message is kept in any case
     * @return false when nothing is there
     */
    private boolean take(int atMost, String wanted) {
        List<ReceivedMessage> received = look(atMost);
        if (received.isEmpty()) {
            return false;
        }
        remember(received, JUST_TAKEN, wanted);
        await(client().keep(received.stream().map(ReceivedMessage::getAckId).toList(), LEASE));
        remember(received, FRESH, wanted);
        return true;
    }

    private void remember(List<ReceivedMessage> received, Duration fresh, String wanted) {
        long freshUntil = System.nanoTime() + fresh.toNanos();
        for (ReceivedMessage each : received) {
            PubSubMessage message = new PubSubMessage(subscription, topic, each.getMessage());
            largest = Math.max(largest, message.bytes());
            forget(message.place());
            boolean held = message.place().equals(wanted) || heldBytes + message.bytes() <= MOST_BYTES;
            heldBytes += held ? message.bytes() : 0;
            letters.put(
                    message.place(),
                    new Leased(
                            DeadLetterEntry.of(topic, message),
                            message.publishedAt(),
                            message.id(),
                            each.getAckId(),
                            freshUntil,
                            held ? Optional.of(message) : Optional.empty()));
        }
    }

    private void forget(String place) {
        Optional<Leased> known = Optional.ofNullable(letters.remove(place));
        heldBytes -= known.flatMap(Leased::message).map(PubSubMessage::bytes).orElse(0L);
    }

    private List<ReceivedMessage> look(int atMost) {
        try {
            return client().pull(atMost, WAIT).get().getReceivedMessagesList();
        } catch (ExecutionException e) {
            if (!PubSubErrors.isNoAnswer(cause(e))) {
                throw errors.whenReading(client().subscription(), cause(e));
            }
            PullResponse last = await(client().pullNow(atMost, LAST_LOOK));
            return last.getReceivedMessagesList();
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    Optional<DeadLetterEntry> find(String place) {
        Optional<DeadLetterEntry> known = fresh(place).map(Leased::entry);
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
        return fresh(place).map(Leased::entry);
    }

    /** The whole letter. One that there was no room for is given back, and taken once more. */
    Optional<PubSubMessage> message(DeadLetterEntry letter) {
        if (find(letter.place()).isEmpty()) {
            return Optional.empty();
        }
        Optional<PubSubMessage> held = fresh(letter.place()).flatMap(Leased::message);
        if (held.isPresent()) {
            return held;
        }
        taken(letter.place()).ifPresent(leased -> await(client().keep(List.of(leased.ackId()), Duration.ZERO)));
        forget(letter.place());
        for (int looks = 0; looks < MOST_LOOKS && fresh(letter.place()).isEmpty(); looks++) {
            take(1, letter.place());
        }
        return Optional.of(fresh(letter.place())
                .flatMap(Leased::message)
                .orElseThrow(() -> new LetterStaysException(
                        letter, "Pub/Sub did not give it out a second time yet: send it back again in a minute")));
    }

    private Optional<Leased> fresh(String place) {
        return taken(place).filter(Leased::isFresh);
    }

    private Optional<Leased> taken(String place) {
        return Optional.ofNullable(letters.get(place));
    }

    void acknowledge(String place) {
        taken(place).ifPresent(leased -> await(client().acknowledge(List.of(leased.ackId()))));
        forget(place);
    }

    /** Gives back what was taken. */
    void release() {
        List<String> ackIds = letters.values().stream().map(Leased::ackId).toList();
        if (!ackIds.isEmpty()) {
            await(client().keep(ackIds, Duration.ZERO));
        }
        letters.clear();
        heldBytes = 0;
    }

    /** The next request opens another connection: one that failed is slow to come back. */
    void disconnect() {
        PullClient known = open;
        open = null;
        if (known != null) {
            known.shutdownNow();
        }
    }

    private <R> R await(ApiFuture<R> request) {
        try {
            return request.get();
        } catch (ExecutionException e) {
            throw errors.whenReading(client().subscription(), cause(e));
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
