package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.format.MessageReader;
import dev.waybill.inbox.ConsumerHealth.State;
import dev.waybill.tck.ManualClock;
import dev.waybill.tck.faults.HostileException;
import dev.waybill.tck.faults.InjectedError;
import dev.waybill.tck.memory.InMemoryDestination;
import dev.waybill.tck.memory.InMemoryInbox;
import dev.waybill.tck.memory.InMemoryTopic;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A consumer on its threads. */
@Timeout(60)
class EventConsumerTest {
    private final InMemoryInbox inbox = new InMemoryInbox();
    private final InMemoryDestination letters = new InMemoryDestination();
    private final InMemoryTopic topic = new InMemoryTopic("orders");
    private final List<String> effects = new CopyOnWriteArrayList<>();

    @Test
    void two_consumers_do_not_share_a_destination_for_their_dead_letters() {
        try (EventConsumer first = plan("billing").start()) {
            assertThatThrownBy(() -> plan("stock").start())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll("consumer stock", "consumer billing");
            first.statistics();
        }
        plan("stock").start().close();
    }

    @Test
    void a_worker_survives_a_failing_dead_letter_topic_function_and_reports_it() {
        AtomicBoolean broken = new AtomicBoolean(true);
        ConsumerPlan<InMemoryInbox.Transaction> plan = plan("billing").deadLetterTopic(name -> {
            if (broken.get()) {
                throw new InjectedError("naming");
            }
            return name + ".dlt";
        });
        send("poison", "a");
        send("after", "a");
        send("other", "b");

        try (EventConsumer consumer = EventConsumer.start(plan.parts(), ConsumerRun.WAITS)) {
            await(() -> effects.contains("other") && consumer.health().state() == State.SICK);
            assertThat(consumer.isHealthy()).isFalse();
            assertThat(consumer.health().reason()).contains("orders@1", InjectedError.class.getName());
            assertThat(effects).containsExactly("other");

            broken.set(false);
            await(() -> effects.contains("after") && consumer.isHealthy());
            assertThat(letters.delivered("orders.dlt")).hasSize(1);
        }
    }

    @Test
    void an_exception_whose_methods_throw_becomes_a_dead_letter() {
        send("hostile", "a");
        send("after", "a");

        try (EventConsumer consumer = EventConsumer.start(plan("billing").parts(), ConsumerRun.WAITS)) {
            await(() -> effects.contains("after"));
            assertThat(consumer.statistics().dead()).isEqualTo(1);
            assertThat(consumer.isHealthy()).isTrue();
        }
    }

    @Test
    void a_handler_that_interrupts_its_thread_does_not_end_the_worker() {
        for (int i = 0; i < 40; i++) {
            send("interrupt", "k" + i);
        }
        try (EventConsumer consumer = EventConsumer.start(plan("billing").parts(), ConsumerRun.WAITS)) {
            await(() -> effects.size() == 40);
            send("after", "a");
            await(() -> effects.contains("after"));
            assertThat(consumer.statistics().failures()).isZero();
        }
    }

    @Test
    void it_recovers_from_an_outage_of_its_broker() {
        try (EventConsumer consumer = EventConsumer.start(plan("billing").parts(), ConsumerRun.WAITS)) {
            topic.fail("The topic is away.");
            await(() -> consumer.health().state() == State.WAITING);
            assertThat(consumer.health().reason()).isEqualTo("The topic is away.");
            assertThat(consumer.isHealthy()).isTrue();
            topic.recover();
            await(() -> consumer.health().state() == State.WORKING);
        }
    }

    @Test
    void setting_the_clock_back_does_not_delay_retries() {
        ManualClock wall = new ManualClock();
        AtomicBoolean failed = new AtomicBoolean();
        ConsumerPlan<InMemoryInbox.Transaction> plan = plan("billing").on("shipped", (transaction, event) -> {
            if (failed.compareAndSet(false, true)) {
                wall.advance(Duration.ofDays(-1));
                throw new IllegalStateException("the first time");
            }
            transaction.onCommit(() -> effects.add(event.dataText()));
        });
        topic.send("a", "again", Scene.header("event-id", "1"), Scene.header("event-type", "shipped"));

        try (EventConsumer consumer = EventConsumer.start(plan.parts(), ConsumerRun.WAITS, wall)) {
            await(() -> effects.contains("again"));
            assertThat(consumer.statistics().failures()).isEqualTo(1);
        }
    }

    @Test
    void a_closed_consumer_reports_it() {
        EventConsumer consumer = EventConsumer.start(plan("billing").parts(), ConsumerRun.WAITS);
        consumer.close();
        assertThat(consumer.health()).isEqualTo(new ConsumerHealth(State.ENDED, "It was closed."));
        assertThat(consumer.isHealthy()).isFalse();
    }

    @Test
    void a_handler_may_close_its_consumer() {
        CompletableFuture<EventConsumer> self = new CompletableFuture<>();
        AtomicBoolean closed = new AtomicBoolean();
        ConsumerPlan<InMemoryInbox.Transaction> plan = plan("billing").on("shipped", (transaction, event) -> {
            self.join().close();
            closed.set(true);
        });
        topic.send("a", "last", Scene.header("event-id", "1"), Scene.header("event-type", "shipped"));
        self.complete(EventConsumer.start(plan.parts(), ConsumerRun.WAITS));

        await(closed::get);
        self.join().close();
        plan("stock").start().close();
    }

    @Test
    @Timeout(20)
    void a_stop_does_not_wait_for_a_handler_that_outlasts_the_grace_time() throws Exception {
        CountDownLatch handling = new CountDownLatch(1);
        CountDownLatch returning = new CountDownLatch(1);
        ConsumerPlan<InMemoryInbox.Transaction> plan = plan("billing")
                .on("shipped", (transaction, event) -> {
                    handling.countDown();
                    returning.await();
                })
                .options(ConsumerOptions.defaults().grace(Duration.ofMillis(1)));
        topic.send("a", "last", Scene.header("event-id", "1"), Scene.header("event-type", "shipped"));
        EventConsumer consumer = EventConsumer.start(plan.parts(), ConsumerRun.WAITS);
        handling.await();
        consumer.close();
        returning.countDown();
        consumer.close();
        plan("stock").start().close();
    }

    @Test
    void a_consumer_closed_by_an_interrupted_thread_gives_its_destination_back_when_it_ends() {
        EventConsumer consumer = EventConsumer.start(plan("billing").parts(), ConsumerRun.WAITS);
        Thread.currentThread().interrupt();
        consumer.close();
        assertThat(Thread.interrupted()).isTrue();

        consumer.close();
        plan("stock").start().close();
    }

    private static void await(BooleanSupplier shared) {
        while (!shared.getAsBoolean()) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    private void send(String data, String key) {
        topic.send(key, data, Scene.header("event-id", data + " of " + key), Scene.header("event-type", "placed"));
    }

    private ConsumerPlan<InMemoryInbox.Transaction> plan(String name) {
        return EventConsumer.named(name, inbox, inbox)
                .from(topic, MessageReader.raw())
                .on("placed", (transaction, event) -> {
                    switch (event.dataText()) {
                        case "poison" -> throw new PermanentFailureException("poison");
                        case "hostile" -> throw new HostileException();
                        case "interrupt" -> Thread.currentThread().interrupt();
                        default -> {
                            // An effect and nothing else.
                        }
                    }
                    transaction.onCommit(() -> effects.add(event.dataText()));
                })
                .deadLettersTo(letters);
    }
}
