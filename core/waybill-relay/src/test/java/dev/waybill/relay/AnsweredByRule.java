package dev.waybill.relay;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Destination;
import dev.waybill.spi.Guarantees;
import dev.waybill.spi.Guarantees.KeyOrder;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Seen;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** A destination that answers every message at once, each by its name as the rule says. Safe for use by many threads. */
final class AnsweredByRule implements Destination {
    private final List<String> delivered = new CopyOnWriteArrayList<>();
    private volatile Function<String, Delivery> rule;

    AnsweredByRule(Function<String, Delivery> rule) {
        this.rule = rule;
    }

    void rule(Function<String, Delivery> newRule) {
        rule = newRule;
    }

    /** Names in the order of arrival, repeats included. */
    List<String> delivered() {
        return List.copyOf(delivered);
    }

    @Override
    public Guarantees guarantees() {
        return new Guarantees(KeyOrder.KEPT_IN_FLIGHT, 1 << 20);
    }

    @Override
    public CompletionStage<List<Delivery>> publish(List<OutboundMessage> batch, Seen seen) {
        return CompletableFuture.completedFuture(
                CycleScene.names(batch).stream().map(this::answer).toList());
    }

    private Delivery answer(String name) {
        Delivery delivery = rule.apply(name);
        if (delivery instanceof Delivery.Delivered) {
            delivered.add(name);
        }
        return delivery;
    }

    @Override
    public void abort() {}

    @Override
    public void close() {}
}
