package dev.waybill.server.secrets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Destination;
import dev.waybill.spi.Guarantees;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Seen;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class ScrubbedDestinationTest {
    private static final String ERROR = "login of app with canary-1234 was refused";
    private static final String SHOWN = "login of app with [hidden] was refused";

    /** Answers all that it is given so. */
    private record Answering(List<Delivery> deliveries) implements Destination {
        @Override
        public Guarantees guarantees() {
            throw new IllegalStateException("Nobody asks here.");
        }

        @Override
        public CompletionStage<List<Delivery>> publish(List<OutboundMessage> batch, Seen seen) {
            return CompletableFuture.completedFuture(deliveries);
        }

        @Override
        public void abort() {}

        @Override
        public void close() {}
    }

    @Test
    void no_stored_error_shows_a_secret() {
        Secrets secrets = new Secrets();
        secrets.add("canary-1234");
        List<Delivery> told = List.of(
                Delivery.DELIVERED,
                Delivery.BEHIND,
                new Delivery.Retry(ERROR),
                new Delivery.Refused(ERROR),
                Delivery.unfit(ERROR),
                new Delivery.InDoubt(ERROR),
                new Delivery.Unavailable(ERROR));

        assertThat(new ScrubbedDestination(new Answering(told), secrets)
                        .publish(List.of(), new Seen(0, 0))
                        .toCompletableFuture()
                        .join())
                .containsExactly(
                        Delivery.DELIVERED,
                        Delivery.BEHIND,
                        new Delivery.Retry(SHOWN),
                        new Delivery.Refused(SHOWN),
                        Delivery.unfit(SHOWN),
                        new Delivery.InDoubt(SHOWN),
                        new Delivery.Unavailable(SHOWN));
    }
}
