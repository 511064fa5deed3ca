package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.inbox.KeyQueues.Lane;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeyQueuesTest {
    private final Scene scene = new Scene(plan -> plan.on("placed", (transaction, event) -> {}));
    private final KeyQueues queues = scene.queues;
    private final Instant now = scene.clock.instant();

    @Test
    void only_one_worker_has_a_key_even_if_its_messages_are_dropped() {
        arrive("1");
        Lane lane = take().get(0);
        queues.done(lane);
        queues.forget(held -> true);
        arrive("2");
        assertThat(take()).as("while the key is at work").isEmpty();
        queues.release(lane, Instant.MIN);
        arrive("3");

        assertThat(take()).hasSize(1);
        assertThat(take()).isEmpty();
    }

    @Test
    void a_message_in_progress_stays_first_of_its_key_when_all_are_dropped() {
        arrive("1");
        arrive("2");
        Lane lane = take().get(0);
        queues.forget(held -> true);
        arrive("2");
        assertThat(take()).isEmpty();
        queues.done(lane);
        queues.release(lane, Instant.MIN);

        Lane next = take().get(0);
        assertThat(next.taken()).extracting(held -> held.message.place()).containsExactly("orders@3");
        queues.done(next);
        queues.release(next, Instant.MIN);
        assertThat(queues.held()).isZero();
        assertThat(take()).isEmpty();
    }

    @Test
    void the_oldest_message_is_the_one_that_was_sent_first_in_any_key() {
        assertThat(queues.oldestSent()).isEmpty();
        arrive("1");
        scene.clock.advance(Duration.ofSeconds(5));
        arrive("2");
        assertThat(queues.oldestSent()).contains(now);

        Lane lane = take().get(0);
        assertThat(queues.oldestSent()).as("while it is handled").contains(now);
        queues.done(lane);
        queues.release(lane, Instant.MIN);
        assertThat(queues.oldestSent()).contains(now.plusSeconds(5));
    }

    private void arrive(String id) {
        scene.send(id, "k", id);
        scene.receiving.runOnce(Duration.ZERO);
    }

    private List<Lane> take() {
        return queues.take(now, 1);
    }
}
