package dev.waybill.relay;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Destination;
import dev.waybill.spi.Guarantees;
import dev.waybill.spi.Guarantees.KeyOrder;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Seen;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;

/** A destination that answers when and as the test says, in any order. */
final class AnsweredByHand implements Destination {
    private static final int MOST_ROUNDS = 100;

    private final KeyOrder order;
    private final List<Sent> sent = new CopyOnWriteArrayList<>();
    private int aborts;

    /** One publish. */
    record Sent(List<String> names, CompletableFuture<List<Delivery>> answer) {
        void deliver() {
            answer.complete(Collections.nCopies(names.size(), Delivery.DELIVERED));
        }

        void answer(Delivery... deliveries) {
            answer.complete(List.of(deliveries));
        }
    }

    AnsweredByHand() {
        this(KeyOrder.KEPT_IN_FLIGHT);
    }

    AnsweredByHand(KeyOrder order) {
        this.order = order;
    }

    /** Everything published so far. */
    List<Sent> sent() {
        return sent;
    }

    Sent sent(int index) {
        return sent.get(index);
    }

    List<String> sentNames() {
        return sent.stream().flatMap(one -> one.names().stream()).toList();
    }

    /** Delivers whatever the relay sends until it sends nothing more. */
    void deliverAll(CycleScene scene) {
        for (int round = 0; round < MOST_ROUNDS; round++) {
            scene.run();
            if (sent.stream().allMatch(one -> one.answer().isDone())) {
                return;
            }
            sent.forEach(Sent::deliver);
        }
        throw new AssertionError("The relay still sends after " + MOST_ROUNDS + " rounds: " + sentNames());
    }

    int aborts() {
        return aborts;
    }

    @Override
    public Guarantees guarantees() {
        return new Guarantees(order, 1 << 20);
    }

    @Override
    public CompletionStage<List<Delivery>> publish(List<OutboundMessage> batch, Seen seen) {
        Sent one = new Sent(CycleScene.names(batch), new CompletableFuture<>());
        sent.add(one);
        return one.answer();
    }

    /** Counts aborts. Messages stay in flight until the test answers them, as with a slow client. */
    @Override
    public void abort() {
        aborts++;
    }

    @Override
    public void close() {}
}
