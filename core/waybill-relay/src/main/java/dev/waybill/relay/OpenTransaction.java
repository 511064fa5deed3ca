package dev.waybill.relay;

import dev.waybill.relay.RelayListener.Sending;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.transaction.WindowPage;
import dev.waybill.spi.transaction.WindowPosition;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** What was sent since the last commit. One thread. */
final class OpenTransaction {
    private final List<Entry> entries = new ArrayList<>();
    private final List<Publish> publishes = new ArrayList<>();
    private @Nullable WindowPosition end;
    private long begunAt;
    private long bytes;

    /** An event, with its message or with its death. */
    static final class Entry {
        final StoredEvent event;

        @Nullable String topic;

        Settlement.@Nullable Dead dead;

        @Nullable Delivery answer;
        /** Whether the store has recorded its death. */
        boolean givenUp;
        /** Whether its topic failed, and it is sent again after a wait. */
        boolean retried;

        Entry(StoredEvent event) {
            this.event = event;
        }
    }

    private record Publish(List<Entry> entries, CompletableFuture<List<Delivery>> answers, Sending sending) {}

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

    void sent(List<Entry> of, CompletionStage<List<Delivery>> answers, Sending sending) {
        publishes.add(new Publish(of, answers.toCompletableFuture(), sending));
    }

    /** Completes when every message is answered. */
    CompletableFuture<Void> answered() {
        return CompletableFuture.allOf(publishes.stream().map(Publish::answers).toArray(CompletableFuture<?>[]::new));
    }

    /** Takes in the answers of publishes that are answered. */
    void takeInAnswers() {
        for (Publish publish : publishes) {
            boolean complete = publish.answers.isDone() && !publish.answers.isCompletedExceptionally();
            List<Delivery> answers = complete ? publish.answers.join() : List.of();
            for (int i = 0; i < answers.size(); i++) {
                publish.entries.get(i).answer = answers.get(i);
            }
            publish.sending.ended(answers);
        }
        publishes.clear();
    }

    void clear() {
        publishes.forEach(publish -> publish.sending.ended(List.of()));
        publishes.clear();
        entries.clear();
        end = null;
        bytes = 0;
    }
}
