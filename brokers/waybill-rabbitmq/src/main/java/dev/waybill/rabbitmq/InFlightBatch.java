package dev.waybill.rabbitmq;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.OutboundMessage;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A batch and what becomes of its messages. The first answer to a message counts, by whichever thread; the last one completes
 * the batch.
 */
final class InFlightBatch {
    private final List<OutboundMessage> messages;
    private final @Nullable Delivery[] answers;
    private final long since;
    private final Consumer<InFlightBatch> completed;
    private final CompletableFuture<List<Delivery>> outcomes = new CompletableFuture<>();
    private int open;

    /** @param completed is called after whoever waits for the outcomes */
    InFlightBatch(List<OutboundMessage> messages, long since, Consumer<InFlightBatch> completed) {
        this.messages = messages;
        this.answers = new Delivery[messages.size()];
        this.since = since;
        this.completed = completed;
        this.open = messages.size();
    }

    List<OutboundMessage> messages() {
        return messages;
    }

    /** When it was handed over, by the monotonic clock. */
    long since() {
        return since;
    }

    void answer(int index, Delivery delivery) {
        synchronized (this) {
            if (answers[index] != null) {
                return;
            }
            answers[index] = delivery;
            open--;
            if (open > 0) {
                return;
            }
        }
        complete();
    }

    void answerRest(Delivery delivery) {
        synchronized (this) {
            for (int i = 0; i < answers.length; i++) {
                if (answers[i] == null) {
                    answers[i] = delivery;
                }
            }
            open = 0;
        }
        complete();
    }

    synchronized int open() {
        return open;
    }

    CompletableFuture<List<Delivery>> outcomes() {
        return outcomes;
    }

    /** Outside the lock: whoever waits for it runs on this thread. */
    private void complete() {
        @Nullable Delivery[] all;
        synchronized (this) {
            all = answers.clone();
        }
        outcomes.complete(Arrays.<Delivery>asList(all));
        completed.accept(this);
    }
}
