package dev.waybill.tck.destination;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Destination;
import dev.waybill.spi.Guarantees;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Seen;
import dev.waybill.tck.faults.Failure;
import dev.waybill.tck.faults.FaultInjection;
import dev.waybill.tck.faults.Faults;
import dev.waybill.tck.memory.InMemoryDestination;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The contract on failing requests finds bugs planted in a destination. */
@Timeout(120)
class FailingRequestsFindsBugsTest {

    @Test
    void a_destination_that_says_delivered_although_it_dropped_the_messages_is_found() {
        assertFound(Delivery.DELIVERED, "lost of k");
    }

    private static void assertFound(Delivery answer, String violation) {
        Planted planted = new Planted(answer);
        planted.begin();
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(planted::whichever_request_fails_everything_arrives_in_order)
                .withMessageContaining(violation);
    }

    /** A destination that drops one publish and returns the given outcome. */
    private static final class Planted extends DestinationContract {
        private final Delivery answer;

        Planted(Delivery answer) {
            this.answer = answer;
        }

        @Override
        protected DestinationHarness newDestination() {
            return new Harness(new InMemoryDestination(), new Faults(), answer);
        }
    }

    private record Harness(InMemoryDestination broker, Faults faultsOfPublish, Delivery answer)
            implements DestinationHarness, Destination {
        @Override
        public CompletionStage<List<Delivery>> publish(List<OutboundMessage> batch, Seen seen) {
            return faultsOfPublish.next("publish").isPresent()
                    ? CompletableFuture.completedFuture(Collections.nCopies(batch.size(), answer))
                    : broker.publish(batch, seen);
        }

        @Override
        public Destination destination() {
            return this;
        }

        @Override
        public Optional<FaultInjection> faults() {
            return Optional.of(new Injection(faultsOfPublish));
        }

        @Override
        public Guarantees guarantees() {
            return broker.guarantees();
        }

        @Override
        public void abort() {
            broker.abort();
        }

        @Override
        public String newTopic() {
            return "topic";
        }

        @Override
        public List<Received> everythingOn(String topic) {
            return broker.delivered(topic).stream()
                    .map(message -> new Received(message.key(), message.value(), message.headers()))
                    .toList();
        }

        @Override
        public Optional<BadTopic> missingTopic() {
            return Optional.empty();
        }

        @Override
        public Optional<BadTopic> forbiddenTopic() {
            return Optional.empty();
        }

        @Override
        public Optional<Trouble> trouble() {
            return Optional.empty();
        }

        @Override
        public Optional<Outage> outage() {
            return Optional.empty();
        }

        @Override
        public void close() {
            broker.close();
        }
    }

    private record Injection(Faults faults) implements FaultInjection {
        @Override
        public Set<Failure> ways() {
            return Set.of(Failure.BEFORE);
        }

        @Override
        public int openConnections() {
            return 0;
        }
    }
}
