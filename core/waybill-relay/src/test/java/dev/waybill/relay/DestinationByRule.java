package dev.waybill.relay;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Destination;
import dev.waybill.spi.Guarantees;
import dev.waybill.spi.Guarantees.KeyOrder;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Seen;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;

/** A destination whose publishes are answered by a rule that knows the number of messages, until it is cured and takes all. */
final class DestinationByRule implements Destination {
    private final List<String> delivered = new ArrayList<>();
    private final IntFunction<CompletionStage<List<Delivery>>> rule;
    private boolean cured;

    DestinationByRule(IntFunction<CompletionStage<List<Delivery>>> rule) {
        this.rule = rule;
    }

    void cure() {
        cured = true;
    }

    List<String> delivered() {
        return delivered;
    }

    @Override
    public Guarantees guarantees() {
        return new Guarantees(KeyOrder.KEPT_IN_FLIGHT, 1 << 20);
    }

    @Override
    public CompletionStage<List<Delivery>> publish(List<OutboundMessage> batch, Seen seen) {
        if (!cured) {
            return rule.apply(batch.size());
        }
        delivered.addAll(CycleScene.names(batch));
        return CompletableFuture.completedFuture(Collections.nCopies(batch.size(), Delivery.DELIVERED));
    }

    @Override
    public void abort() {}

    @Override
    public void close() {}
}
