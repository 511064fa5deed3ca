package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.InboxException;
import dev.waybill.Incoming;
import dev.waybill.PurgeableInbox;
import dev.waybill.admin.PurgeStep;
import dev.waybill.format.MessageReader;
import dev.waybill.tck.memory.InMemoryDestination;
import dev.waybill.tck.memory.InMemoryInbox;
import dev.waybill.tck.memory.InMemoryTopic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class PurgeInboxTest {
    private static final Duration WINDOW = Duration.ofDays(30);

    private final Remembering inbox = new Remembering();
    private final CountDownLatch stopping = new CountDownLatch(1);

    @Test
    void records_older_than_the_replay_window_are_deleted_in_steps() throws Exception {
        inbox.old = 2_500;
        assertThat(purge(ConsumerOptions.defaults())).isEqualTo(2_500);
        assertThat(inbox.asked).containsExactly(WINDOW, WINDOW, WINDOW);
    }

    @Test
    void records_can_be_kept_longer_but_not_shorter() throws Exception {
        inbox.old = 1;
        purge(ConsumerOptions.defaults().keepHandled(Duration.ofDays(90)));
        assertThat(inbox.asked).containsExactly(Duration.ofDays(90));
        assertThatThrownBy(() -> purge(ConsumerOptions.defaults().keepHandled(Duration.ofDays(29))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("twice");
    }

    @Test
    void a_run_is_bounded_and_a_failure_does_not_stop_later_runs() throws Exception {
        inbox.old = Integer.MAX_VALUE;
        assertThat(purge(ConsumerOptions.defaults())).isEqualTo(PurgeInbox.STEP * PurgeInbox.MOST_STEPS);
        inbox.failing = true;
        assertThat(purge(ConsumerOptions.defaults())).isZero();
    }

    @Test
    void it_stops_with_its_consumer() throws Exception {
        inbox.old = Integer.MAX_VALUE;
        stopping.countDown();
        assertThat(purge(ConsumerOptions.defaults())).isEqualTo(PurgeInbox.STEP);
    }

    @Test
    void an_inbox_that_expires_its_records_is_not_purged() {
        InMemoryInbox other = new InMemoryInbox();
        assertThat(PurgeInbox.of(
                        EventConsumer.named("billing", other, other)
                                .from(new InMemoryTopic("orders"), MessageReader.raw())
                                .on("placed", (transaction, event) -> {})
                                .deadLettersTo(new InMemoryDestination())
                                .parts(),
                        stopping))
                .isEmpty();
    }

    @Test
    void a_time_to_keep_records_is_refused_with_an_inbox_that_expires_them_itself() {
        InMemoryInbox other = new InMemoryInbox();
        assertThatThrownBy(() -> EventConsumer.named("billing", other, other)
                        .from(new InMemoryTopic("orders"), MessageReader.raw())
                        .on("placed", (transaction, event) -> {})
                        .deadLettersTo(new InMemoryDestination())
                        .options(ConsumerOptions.defaults().keepHandled(Duration.ofDays(90)))
                        .start())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Consumer billing", "keepHandled")
                .hasMessageContaining("expires its records itself");
    }

    @Test
    void a_consumer_purges_on_a_thread_while_it_runs() {
        EventConsumer consumer = plan(ConsumerOptions.defaults()).start();
        assertThat(threads()).contains("waybill-consumer-billing-purge");
        consumer.close();
        assertThat(threads()).doesNotContain("waybill-consumer-billing-purge");
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).toList();
    }

    private int purge(ConsumerOptions options) throws InterruptedException {
        return PurgeInbox.of(plan(options).parts(), stopping).orElseThrow().runOnce(Duration.ZERO);
    }

    private ConsumerPlan<InMemoryInbox.Transaction> plan(ConsumerOptions options) {
        return EventConsumer.named("billing", inbox, inbox.real)
                .from(new InMemoryTopic("orders"), MessageReader.raw())
                .on("placed", (transaction, event) -> {})
                .deadLettersTo(new InMemoryDestination())
                .options(options);
    }

    /** An inbox with a given number of old records. */
    private static final class Remembering implements PurgeableInbox<InMemoryInbox.Transaction> {
        private final InMemoryInbox real = new InMemoryInbox();
        private final List<Duration> asked = new ArrayList<>();
        private int old;
        private boolean failing;

        @Override
        public Duration replayWindow() {
            return WINDOW;
        }

        @Override
        public PurgeStep purge(InMemoryInbox.Transaction transaction, String consumer, Duration olderThan, int atMost) {
            assertThat(consumer).isEqualTo("billing");
            if (failing) {
                throw new InboxException("no table", new IllegalStateException());
            }
            asked.add(olderThan);
            int deleted = Math.min(old, atMost);
            old -= deleted;
            return new PurgeStep(deleted, deleted == atMost);
        }

        @Override
        public <E extends Exception> Outcome handleOnce(
                InMemoryInbox.Transaction transaction,
                String consumer,
                Incoming event,
                Effect<InMemoryInbox.Transaction, E> effect)
                throws E {
            return real.handleOnce(transaction, consumer, event, effect);
        }
    }
}
