package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.waybill.format.MessageReader;
import dev.waybill.tck.memory.InMemoryDestination;
import dev.waybill.tck.memory.InMemoryInbox;
import dev.waybill.tck.memory.InMemoryTopic;
import org.junit.jupiter.api.Test;

class ConsumerPlanTest {
    private final InMemoryInbox inbox = new InMemoryInbox();
    private final ConsumerPlan<InMemoryInbox.Transaction> named = EventConsumer.named("billing", inbox, inbox);
    private final ConsumerPlan<InMemoryInbox.Transaction> reading =
            named.from(new InMemoryTopic("orders"), MessageReader.raw());
    private final ConsumerPlan<InMemoryInbox.Transaction> giving = reading.deadLettersTo(new InMemoryDestination());

    @Test
    void what_is_missing_is_refused_when_it_starts() {
        assertThatIllegalArgumentException()
                .isThrownBy(named::start)
                .withMessage("Consumer billing has no source: call from(…).");
        assertThatIllegalArgumentException()
                .isThrownBy(reading::start)
                .withMessage("Consumer billing has no destination for dead letters: call deadLettersTo(…).");
        assertThatIllegalArgumentException()
                .isThrownBy(giving::start)
                .withMessage("Consumer billing has no handler: call on(type, handler).");
    }

    @Test
    void a_blank_name_and_a_second_handler_for_a_type_are_refused_at_once() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EventConsumer.named(" ", inbox, inbox))
                .withMessage("The consumer's name is blank: give it a name, which its inbox needs.");
        ConsumerPlan<InMemoryInbox.Transaction> handling = named.on("placed", (transaction, event) -> {});
        assertThatIllegalArgumentException()
                .isThrownBy(() -> handling.inBatches("placed", (transaction, event) -> {}))
                .withMessage("Consumer billing has two handlers for placed: remove one.");
    }

    @Test
    void every_change_is_a_copy() {
        ConsumerPlan<InMemoryInbox.Transaction> one = giving.on("placed", (transaction, event) -> {});
        ConsumerPlan<InMemoryInbox.Transaction> other = giving.inBatches("placed", (transaction, event) -> {})
                .deadLetterTopic(topic -> "letters")
                .options(ConsumerOptions.defaults().workers(1));

        ConsumerParts<InMemoryInbox.Transaction> ofOne = one.parts();
        ConsumerParts<InMemoryInbox.Transaction> ofOther = other.parts();
        assertThat(ofOne.handlerOf("placed")).isNotNull().matches(handler -> !handler.batches());
        assertThat(ofOther.handlerOf("placed")).isNotNull().matches(ConsumerPlan.Registration::batches);
        assertThat(ofOne.deadLetterTopic.apply("orders")).isEqualTo("orders.dlt");
        assertThat(ofOther.deadLetterTopic.apply("orders")).isEqualTo("letters");
        assertThat(ofOther.deadLetters).isSameAs(ofOne.deadLetters);
        assertThat(ofOne.options).isEqualTo(ConsumerOptions.defaults());
        assertThatIllegalArgumentException().isThrownBy(giving::start).withMessageContaining("no handler");
    }

    @Test
    void a_plan_can_be_started_again_after_its_consumer_was_closed() {
        ConsumerPlan<InMemoryInbox.Transaction> plan = giving.on("placed", (transaction, event) -> {});
        plan.start().close();
        try (EventConsumer again = plan.start()) {
            assertThat(again.name()).isEqualTo(plan.name());
        }
    }
}
