package dev.waybill.relay;

import dev.waybill.relay.RelayListener.Sending;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.support.CheckedAnswers;
import dev.waybill.spi.transaction.WindowPage;
import dev.waybill.spi.transaction.WindowPosition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What was sent since the last commit. One thread. */
final class OpenTransaction {
    private final List<Entry> entries = new ArrayList<>();
    private final List<Publish> publishes = new ArrayList<>();
    private @Nullable WindowPosition end;
    private long begunAt;
    private long bytes;

    /** An event, with its message or with the reason why it is dead. */
    static final class Entry {
        final StoredEvent event;

        @Nullable String topic;

        Settlement.@Nullable Dead dead;

        @Nullable Delivery answer;
        /** Whether the store has recorded it as dead. */
        boolean givenUp;
        /** Whether its topic failed, and it is sent again after a wait. */
        boolean retried;

        Entry(StoredEvent event) {
            this.event = event;
        }
    }

    /** @param at when it was sent */
    private record Publish(List<Entry> entries, CompletableFuture<CheckedAnswers> answers, Sending sending, long at) {}

    static Settlement.Dead deathOf(Entry entry) {
        return Objects.requireNonNull(entry.dead, "dead");
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    int size() {
        return entries.size();
    }

    long bytes() {
        return bytes;
    }

    /** How long it has been open. */
    long nanosAt(long nanoTime) {
        return isEmpty() ? 0 : nanoTime - begunAt;
    }

    List<Entry> entries() {
        return entries;
    }

    List<StoredEvent> events() {
        return entries.stream().map(entry -> entry.event).toList();
    }

    /** The position behind everything in it. */
    WindowPosition end() {
        if (end == null) {
            throw new IllegalStateException("The transaction is empty.");
        }
        return end;
    }

    void add(WindowPage page, List<Entry> ofPage, long nanoTime) {
        if (isEmpty()) {
            begunAt = nanoTime;
        }
        end = page.end();
        entries.addAll(ofPage);
        ofPage.forEach(entry -> bytes += entry.event.bytes());
    }

    void sent(List<Entry> of, CompletableFuture<CheckedAnswers> answers, Sending sending, long nanoTime) {
        publishes.add(new Publish(of, answers, sending, nanoTime));
    }

    /**
     * Takes in the answers that have arrived.
     *
     * @return whether every message is answered
     */
    boolean takeInAnswers() {
        publishes.removeIf(publish -> {
            if (!publish.answers.isDone()) {
                return false;
            }
            List<Delivery> answers = publish.answers.join().deliveries();
            for (int i = 0; i < answers.size(); i++) {
                publish.entries.get(i).answer = answers.get(i);
            }
            publish.sending.ended(answers);
            return true;
        });
        return publishes.isEmpty();
    }

    Outgoing.Unanswered unanswered(long nanoTime) {
        if (publishes.isEmpty()) {
            return Outgoing.Unanswered.NONE;
        }
        int messages =
                publishes.stream().mapToInt(publish -> publish.entries.size()).sum();
        Duration oldest = publishes.stream()
                .filter(publish -> !publish.answers.isDone())
                .findFirst()
                .map(publish -> Duration.ofNanos(nanoTime - publish.at))
                .orElse(Duration.ZERO);
        return new Outgoing.Unanswered(messages, oldest);
    }

    void clear() {
        publishes.forEach(publish -> publish.sending.ended(List.of()));
        publishes.clear();
        entries.clear();
        end = null;
        bytes = 0;
    }
}
