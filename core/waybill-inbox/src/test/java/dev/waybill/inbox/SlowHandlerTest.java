package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.format.ReceivedEvent;
import dev.waybill.tck.memory.InMemoryInbox;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Events during an outage in which handlers take long to fail. Each hanging handler has its own thread; all others run in the
 * steps of the test.
 */
class SlowHandlerTest {
    private volatile CountDownLatch end = new CountDownLatch(1);
    /** Of each thread: whether its handler hangs, or nothing was left to do. */
    private final BlockingQueue<Boolean> hanging = new LinkedBlockingQueue<>();

    private final List<Thread> threads = new ArrayList<>();
    private final Thread test = Thread.currentThread();
    private volatile boolean slow;
    private volatile boolean back;
    private Scene scene = scene();

    /**
     * The handler of events named "bad" finds a dependency unavailable, that of "back" does so for a while, and that of "stuck"
     * hangs, alone or in its batch.
     */
    private Scene scene() {
        return new Scene(plan ->
                plan.on("paid", this::handle).inBatches("noted", this::handle).on("placed", this::handle));
    }

    private void handle(InMemoryInbox.Transaction transaction, ReceivedEvent event) throws InterruptedException {
        String name = event.dataText();
        if (name.equals("stuck") || (slow && name.equals("bad"))) {
            hanging.add(true);
            if (Thread.currentThread() != test) {
                end.await();
            }
        }
        if (name.equals("bad") || (name.equals("back") && !back)) {
            throw new DependencyUnavailableException("this tenant does not answer");
        }
        scene.note(transaction, event);
    }

    @AfterEach
    void stop() throws InterruptedException {
        end.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
    }

    @Test
    void an_event_whose_tenant_is_available_does_not_wait_for_slow_handlers() throws Exception {
        scene.send("b", "b", "paid", "back");
        sendBad(2);
        scene.runFor(Duration.ofSeconds(30));
        letGoodOnesThrough("first");
        scene.clock.advance(Duration.ofSeconds(5));
        slow = true;
        assertThat(hangAsManyAsMay()).isEqualTo(2);
        back = true;
        letGoodOnesThrough("second");
        scene.runFor(Duration.ofSeconds(6));

        assertThat(scene.effects).contains("back");
    }

    @Test
    void hanging_handlers_use_at_most_half_of_the_workers() throws Exception {
        sendBad(20);
        scene.runFor(Duration.ofMinutes(2));
        letGoodOnesThrough("first");
        scene.clock.advance(Duration.ofSeconds(5));
        slow = true;
        int hung = hangAsManyAsMay();
        for (int i = 0; i < 30; i++) {
            letGoodOnesThrough("more " + i);
            scene.clock.advance(Duration.ofSeconds(5));
            hung += hangAsManyAsMay();
            assertThat(scene.shared.problems().health().state()).isEqualTo(ConsumerHealth.State.WAITING);
        }

        assertThat(hung).as("of eight workers").isBetween(2, 4);
        assertThat(scene.effects).hasSize(310);
    }

    @Test
    void a_type_with_hanging_handlers_leaves_workers_to_other_types() throws Exception {
        scene.send("bad", "bad", "paid", "bad");
        scene.run();
        for (int i = 0; i < 20; i++) {
            scene.send("stuck" + i, "stuck" + i, "paid", "stuck");
        }
        int hung = 0;
        for (int i = 0; i < 60; i++) {
            scene.clock.advance(Duration.ofSeconds(5));
            hung += hangAsManyAsMay();
            assertThat(scene.shared.problems().health().state()).isEqualTo(ConsumerHealth.State.WAITING);
        }
        scene.send("other", "other", "placed", "good");
        scene.run();

        assertThat(hung).as("of eight workers").isBetween(2, 4);
        assertThat(scene.effects).hasSize(1);
    }

    @Test
    void batches_of_such_a_type_are_limited_too() throws Exception {
        scene.send("bad", "bad", "noted", "bad");
        scene.run();
        for (int i = 0; i < 20 * ConsumerOptions.defaults().batch(); i++) {
            scene.send("stuck" + i, "stuck" + i, "noted", "stuck");
        }
        int hung = 0;
        for (int i = 0; i < 60; i++) {
            scene.clock.advance(Duration.ofSeconds(5));
            hung += hangAsManyAsMay();
        }

        assertThat(hung).as("of eight workers").isBetween(2, 4);
    }

    @Test
    void an_event_that_fails_quickly_does_not_wait_for_slow_ones() throws Exception {
        scene.send("b", "b", "paid", "back");
        sendBad(10);
        scene.runFor(Duration.ofMinutes(1));
        letGoodOnesThrough("first");
        slow = true;
        // After this, all but one are known to be slow.
        for (int i = 0; i < 10; i++) {
            scene.clock.advance(Duration.ofSeconds(5));
            hangAsManyAsMay();
            scene.clock.advance(Duration.ofMinutes(1));
            endThoseThatHang();
        }
        scene.clock.advance(Duration.ofMinutes(1));
        assertThat(hangAsManyAsMay()).isEqualTo(2);
        back = true;
        scene.runFor(Duration.ofSeconds(6));

        assertThat(scene.effects).contains("back");
    }

    @Test
    void a_hanging_probe_does_not_block_its_type() throws Exception {
        scene.send("bad", "bad", "paid", "bad");
        scene.run();
        scene.clock.advance(Waits.DEFAULT.firstAway());
        scene.send("stuck", "stuck", "paid", "stuck");
        assertThat(hangAsManyAsMay()).isEqualTo(1);
        sendGoodOnes("good");
        scene.run();
        assertThat(scene.effects).as("the probe may still succeed").isEmpty();

        scene.clock.advance(Waits.DEFAULT.firstAway());
        scene.run();
        assertThat(scene.effects).hasSize(10);
    }

    /** Continues, with another thread for each hanging handler, until nothing can be handled now. */
    private int hangAsManyAsMay() throws InterruptedException {
        scene.receiving.runOnce(Duration.ZERO);
        int count = 0;
        while (hangsOne()) {
            count++;
        }
        return count;
    }

    private boolean hangsOne() throws InterruptedException {
        CountDownLatch mine = end;
        Thread thread = new Thread(() -> {
            while (mine.getCount() > 0 && scene.handling.runOnce()) {
                // The next one.
            }
            if (mine.getCount() > 0) {
                hanging.add(false);
            }
        });
        threads.add(thread);
        thread.start();
        return Objects.requireNonNull(hanging.poll(60, TimeUnit.SECONDS));
    }

    private void endThoseThatHang() throws InterruptedException {
        stop();
        threads.clear();
        end = new CountDownLatch(1);
    }

    private void sendBad(int count) {
        for (int i = 0; i < count; i++) {
            scene.send("bad" + i, "bad" + i, "paid", "bad");
        }
    }

    private void letGoodOnesThrough(String name) {
        sendGoodOnes(name);
        scene.run();
    }

    private void sendGoodOnes(String name) {
        for (int i = 0; i < 10; i++) {
            scene.send(name + i, name + i, "paid", "good");
        }
    }
}
