package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.format.MessageReader;
import dev.waybill.tck.memory.InMemoryDestination;
import dev.waybill.tck.memory.InMemoryInbox;
import dev.waybill.tck.memory.InMemoryTopic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A consumer on its threads. */
@Timeout(60)
class EventConsumerTest {
    private final InMemoryInbox inbox = new InMemoryInbox();
    private final InMemoryDestination letters = new InMemoryDestination();

    @Test
    void two_consumers_do_not_share_a_destination_for_their_dead_letters() {
        try (EventConsumer first = EventConsumer.start(plan("billing"))) {
            assertThatThrownBy(() -> EventConsumer.start(plan("stock")))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll("consumer stock", "consumer billing");
            first.statistics();
        }
        EventConsumer.start(plan("stock")).close();
    }

    private ConsumerPlan<InMemoryInbox.Transaction> plan(String name) {
        return ConsumerPlan.named(name, inbox, inbox)
                .from(new InMemoryTopic("orders"), MessageReader.raw())
                .on("placed", (transaction, event) -> {})
                .deadLettersTo(letters)
                .build();
    }
}
