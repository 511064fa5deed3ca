package dev.waybill.server.secrets;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Destination;
import dev.waybill.spi.Guarantees;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Seen;
import dev.waybill.spi.transaction.TransactionalDestination;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Hides secrets in the errors of a destination. Relays keep errors in the store, whose readers may not be allowed to read the log. */
public record ScrubbedDestination(Destination real, Secrets secrets) implements Destination {
    /** With transactions, if the destination has them. */
    public static Destination of(Destination real, Secrets secrets) {
        ScrubbedDestination scrubbed = new ScrubbedDestination(real, secrets);
        return real instanceof TransactionalDestination transactional
                ? new ScrubbedTransactions(transactional, scrubbed)
                : scrubbed;
    }

    @Override
    public Guarantees guarantees() {
        return real.guarantees();
    }

    @Override
    public CompletionStage<List<Delivery>> publish(List<OutboundMessage> batch, Seen seen) {
        return real.publish(batch, seen).thenApply(this::scrubbed);
    }

    List<Delivery> scrubbed(List<Delivery> deliveries) {
        return deliveries.stream().allMatch(Delivery.Delivered.class::isInstance)
                ? deliveries
                : deliveries.stream().map(this::scrubbed).toList();
    }

    private Delivery scrubbed(Delivery delivery) {
        return switch (delivery.kind()) {
            case DELIVERED, BEHIND -> delivery;
            case RETRY -> new Delivery.Retry(secrets.hide(delivery.error()));
            case REFUSED ->
                new Delivery.Refused(
                        secrets.hide(delivery.error()),
                        delivery instanceof Delivery.Refused refused && refused.unfit());
            case IN_DOUBT -> new Delivery.InDoubt(secrets.hide(delivery.error()));
            case UNAVAILABLE -> new Delivery.Unavailable(secrets.hide(delivery.error()));
        };
    }

    @Override
    public void abort() {
        real.abort();
    }

    @Override
    public void close() {
        real.close();
    }
}
