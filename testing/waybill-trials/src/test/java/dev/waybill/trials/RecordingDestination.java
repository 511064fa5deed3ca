package dev.waybill.trials;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Destination;
import dev.waybill.spi.Guarantees;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Seen;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A broker that accepts everything at once and keeps it in order of arrival. */
final class RecordingDestination implements Destination {
    private final List<Delivered> stream = new ArrayList<>();

    @Override
    public Guarantees guarantees() {
        return new Guarantees(Guarantees.KeyOrder.KEPT_IN_FLIGHT, 1_000_000);
    }

    @Override
    public synchronized CompletionStage<List<Delivery>> publish(List<OutboundMessage> batch, Seen seen) {
        batch.forEach(message -> stream.add(
                new Delivered(UUID.fromString(message.event().id().toString()), message.topic(), 0, Instant.now())));
        return CompletableFuture.completedFuture(
                batch.stream().<Delivery>map(message -> Delivery.DELIVERED).toList());
    }

    synchronized List<Delivered> stream() {
        return List.copyOf(stream);
    }

    @Override
    public void abort() {}

    @Override
    public void close() {}
}
