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
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The dead letters on a subscription. Pub/Sub shows a message only by delivering it, so listing letters leases them, and other
 * readers do not receive them. They are kept, so that processing letters one after the other needs one pull. Leases are renewed
 * while calls are made; letters whose lease may have ended are returned before they are pulled again, because Pub/Sub does not
 * deliver leased messages. For the same reason leased letters are remembered when a request fails. One thread.
 */
final class LeasedLetters {
    /** At most this many letters are leased. */
    static final int MOST = 10_000;

    private static final int MOST_AT_ONCE = 1_000;
    /** 40 MB with messages of the largest size. */
    private static final int FEW = 4;
    /** Maximum size of held messages; for further letters only the entry is kept. */
    private static final long MOST_BYTES = 16_000_000;
    /** Attempts to pull one returned letter again. */
    private static final int MOST_LOOKS = 10;

    /** After this time without a message the subscription counts as empty. */
    private static final Duration WAIT = Duration.ofSeconds(2);

    private static final Duration LAST_LOOK = Duration.ofSeconds(10);

    private final Opening opening;
    private final PubSubErrors errors;
    private final String subscription;
    private final String topic;
    private final Lease lease;
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
     * @param message null if there was no room for it
     */
    private record Leased(
            DeadLetterEntry entry,
            Instant publishedAt,
            String id,
            String ackId,
            long end,
            Optional<PubSubMessage> message) {
        /** By time of publishing, then by Pub/Sub's message id. */
        static final Comparator<Leased> OLDEST_FIRST = Comparator.comparing(Leased::publishedAt)
                .thenComparingInt(letter -> letter.id().length())
                .thenComparing(Leased::id);

        Leased until(long newEnd) {
            return new Leased(entry, publishedAt, id, ackId, newEnd, message);
        }
    }

    LeasedLetters(Opening opening, PubSubErrors errors, String subscription, String topic, Lease lease) {
        this.opening = opening;
        this.errors = errors;
        this.subscription = subscription;
        this.topic = topic;
        this.lease = lease;
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

    /** Pulls all letters; returns the oldest first. */
    List<DeadLetterEntry> takeAll() {
        renew();
        int atMost = FEW;
        while (letters.size() < MOST && take(atMost, "")) {
            // Few at first, because their size is unknown and all requested messages arrive at once.
            atMost = Math.min(2 * atMost, (int) Math.max(1, Math.min(MOST_AT_ONCE, MOST_BYTES / largest)));
        }
        return letters.values().stream()
                .sorted(Leased.OLDEST_FIRST)
                .map(Leased::entry)
                .toList();
    }

    /** Renews leases, so that all known letters are leased long enough for an operation. */
    private void renew() {
        if (letters.values().stream().noneMatch(letter -> lease.isOld(letter.end()))) {
            return;
        }
        List<Leased> inDoubt = letters.values().stream()
                .filter(letter -> lease.isInDoubt(letter.end()))
                .toList();
        keep(inDoubt, Duration.ZERO);
        inDoubt.forEach(letter -> forget(letter.entry().place()));
        long end = lease.end();
        keep(letters.values(), lease.time());
        letters.replaceAll((place, letter) -> letter.until(end));
    }

    private void keep(Collection<Leased> which, Duration time) {
        List<String> ackIds = which.stream().map(Leased::ackId).toList();
        if (!ackIds.isEmpty()) {
            await(client().keep(ackIds, time));
        }
    }

    /**
     * @param wanted position of a letter whose message is kept in any case
     * @return false if the subscription is empty
     */
    private boolean take(int atMost, String wanted) {
        List<ReceivedMessage> received = look(atMost);
        if (received.isEmpty()) {
            return false;
        }
        remember(received, lease.endOfTaken(), wanted);
        long end = lease.end();
        await(client().keep(received.stream().map(ReceivedMessage::getAckId).toList(), lease.time()));
        remember(received, end, wanted);
        return true;
    }

    private void remember(List<ReceivedMessage> received, long end, String wanted) {
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
                            end,
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
        renew();
        if (taken(place).isEmpty()) {
            takeAll();
            renew();
        }
        if (taken(place).isEmpty() && letters.size() >= MOST) {
            throw new SourceException(
                    "More than " + MOST + " letters wait in " + subscription + ", and " + place
                            + " is not among the first ones: process those first.",
                    new IllegalStateException(letters.size() + " letters"));
        }
        return taken(place).map(Leased::entry);
    }

    /** The whole letter. One whose message was not kept is returned and pulled again. */
    Optional<PubSubMessage> message(DeadLetterEntry letter) {
        if (find(letter.place()).isEmpty()) {
            return Optional.empty();
        }
        Optional<PubSubMessage> held = taken(letter.place()).flatMap(Leased::message);
        if (held.isPresent()) {
            return held;
        }
        taken(letter.place()).ifPresent(leased -> keep(List.of(leased), Duration.ZERO));
        forget(letter.place());
        for (int looks = 0; looks < MOST_LOOKS && taken(letter.place()).isEmpty(); looks++) {
            take(1, letter.place());
        }
        return Optional.of(taken(letter.place())
                .flatMap(Leased::message)
                .orElseThrow(() -> new LetterStaysException(
                        letter, "Pub/Sub has not delivered it again yet: send it back again in a minute")));
    }

    private Optional<Leased> taken(String place) {
        return Optional.ofNullable(letters.get(place));
    }

    /** Returns when Pub/Sub has answered, which does not tell whether the acknowledgement came too late. */
    void acknowledge(String place) {
        Optional<Leased> known = taken(place);
        known.ifPresent(leased -> await(client().acknowledge(List.of(leased.ackId()))));
        forget(place);
        if (known.filter(leased -> lease.isOver(leased.end())).isPresent()) {
            throw new SourceException(
                    "The dead letter " + place
                            + " was acknowledged too late and may be delivered again: list the letters again.",
                    new IllegalStateException("a lease of " + lease.time().toSeconds() + " s has ended"));
        }
    }

    /** Returns all leased letters. */
    void release() {
        keep(letters.values(), Duration.ZERO);
        letters.clear();
        heldBytes = 0;
    }

    /** The next request opens a new connection: one that failed recovers slowly. */
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
        return new SourceException("Interrupted while " + subscription + " was read; the dead letters are kept.", e);
    }

    private static Throwable cause(ExecutionException e) {
        @Nullable Throwable cause = e.getCause();
        return cause == null ? e : cause;
    }
}
