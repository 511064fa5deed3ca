package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Destination;
import dev.waybill.spi.Guarantees;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Seen;
import dev.waybill.tck.faults.Failure;
import dev.waybill.tck.faults.Faults;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Checks the contract itself: it must find a bug that was planted in a dependency of a consumer. */
class FailingCallsFindsBugsTest {

    @Test
    void a_planted_bug_in_the_destination_of_letters_is_found() {
        assertThat(violations(TakenForDelivered::new)).anyMatch(found -> found.contains("letters are"));
    }

    @Test
    void without_the_bug_nothing_is_found() {
        assertThat(violations(letters -> letters)).isEmpty();
    }

    /** Fails the first publish of a letter, then the second, until no publish is left to fail. */
    private static List<String> violations(UnaryOperator<Destination> planted) {
        List<String> violations = new ArrayList<>();
        for (int publish = 1; ; publish++) {
            Faults faults = new Faults().countOnly("publish of a letter");
            try (InMemoryBroker broker = new InMemoryBroker()) {
                String where = "publish " + publish + ": ";
                new ConsumerRun(broker, faults)
                        .plant(planted)
                        .play(ConsumerScenario.DEAD_LETTER, publish, Failure.SERIALIZATION_CONFLICT, faults)
                        .forEach(violation -> violations.add(where + violation));
            }
            if (!faults.struck()) {
                assertThat(publish).as("one publish was failed at least").isGreaterThan(1);
                return violations;
            }
        }
    }

    /** A planted bug: a letter answered Behind is reported as delivered. */
    private record TakenForDelivered(Destination real) implements Destination {
        @Override
        public Guarantees guarantees() {
            return real.guarantees();
        }

        @Override
        public CompletionStage<List<Delivery>> publish(List<OutboundMessage> batch, Seen seen) {
            return real.publish(batch, seen)
                    .thenApply(outcomes -> outcomes.stream()
                            .map(outcome -> outcome instanceof Delivery.Behind ? Delivery.DELIVERED : outcome)
                            .toList());
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
}
