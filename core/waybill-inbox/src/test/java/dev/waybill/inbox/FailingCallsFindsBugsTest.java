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
        assertThat(violations(ConsumerScenario.DEAD_LETTER, Failure.SERIALIZATION_CONFLICT, TakenForDelivered::new))
                .anyMatch(found -> found.contains("publish of a letter") && found.contains("letters are"));
    }

    @Test
    void without_the_bug_nothing_is_found() {
        assertThat(violations(ConsumerScenario.DEAD_LETTER, Failure.SERIALIZATION_CONFLICT, letters -> letters))
                .isEmpty();
    }

    private static List<String> violations(ConsumerScenario scenario, Failure how, UnaryOperator<Destination> planted) {
        List<String> violations = new ArrayList<>();
        int notStruck = 0;
        for (int call = 1; notStruck < 3; call++) {
            Faults faults = new Faults();
            try (InMemoryBroker broker = new InMemoryBroker()) {
                List<String> found =
                        new ConsumerRun(broker, faults).plant(planted).play(scenario, call, how, faults);
                String where = "call " + call + " (" + faults.struckAt() + "): ";
                found.forEach(violation -> violations.add(where + violation));
            }
            // How many calls a run makes depends on its threads.
            notStruck = faults.struck() ? 0 : notStruck + 1;
        }
        return violations;
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
