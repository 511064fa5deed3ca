package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What becomes of events while something is away and handlers of others take their time to find out. Each handler that hangs
 * has a thread of its own; all others run in the steps of the test.
 */
class SlowHandlerTest {
    private final CountDownLatch end = new CountDownLatch(1);
    private final Semaphore hanging = new Semaphore(0);
    private final List<Thread> threads = new ArrayList<>();
    private final Thread test = Thread.currentThread();
    private volatile boolean slow;
    private volatile boolean back;
    private Scene scene = scene();

    /** What is called bad finds something away, and so does what is called back, for a while. What is called stuck hangs. */
    private Scene scene() {
        return new Scene(plan -> plan.on("paid", (transaction, event) -> {
            String name = event.dataText();
            if (name.equals("stuck") || (slow && name.equals("bad"))) {
                hanging.release();
                if (Thread.currentThread() != test) {
                    end.await();
                }
            }
            if (name.equals("bad") || (name.equals("back") && !back)) {
                throw new DependencyAwayException("this tenant does not answer");
            }
            scene.note(transaction, event);
        }));
    }

    @AfterEach
    void stop() throws InterruptedException {
        end.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
    }

    @Test
    void an_event_whose_tenant_is_back_does_not_wait_for_those_of_another_that_take_their_time() throws Exception {
        scene.send("b", "b", "paid", "back");
        for (int i = 0; i < 3; i++) {
            scene.send("bad" + i, "bad" + i, "paid", "bad");
        }
        scene.runFor(Duration.ofSeconds(30));
        letGoodOnesThrough("first");
        scene.clock.advance(Duration.ofSeconds(5));
        slow = true;
        for (int i = 0; i < 3; i++) {
            hangOne();
        }
        back = true;
        letGoodOnesThrough("second");
        scene.runFor(Duration.ofSeconds(6));

        assertThat(scene.effects).contains("back");
    }

    @Test
    void half_of_the_workers_are_left_to_events_that_do_not_wait_alone() throws Exception {
        for (int i = 0; i < 10; i++) {
            scene.send("bad" + i, "bad" + i, "paid", "bad");
        }
        scene.runFor(Duration.ofSeconds(60));
        letGoodOnesThrough("first");
        scene.clock.advance(Duration.ofSeconds(5));
        slow = true;
        for (int i = 0; i < 4; i++) {
            hangOne();
        }
        for (int i = 0; i < 10; i++) {
            letGoodOnesThrough("more " + i);
            scene.runFor(Duration.ofSeconds(5));
        }

        assertThat(hanging.availablePermits()).as("of those that wait").isZero();
        assertThat(scene.effects).hasSize(110);
    }

    @Test
    void a_handler_that_hangs_when_it_is_let_in_to_try_does_not_hold_up_its_type() throws Exception {
        scene.send("bad", "bad", "paid", "bad");
        scene.run();
        scene.clock.advance(Waits.DEFAULT.firstAway());
        scene.send("stuck", "stuck", "paid", "stuck");
        hangOne();
        sendGoodOnes("good");
        scene.run();
        assertThat(scene.effects)
                .as("the one that tries may still say how it went")
                .isEmpty();

        scene.clock.advance(Waits.DEFAULT.firstAway());
        scene.run();
        assertThat(scene.effects).hasSize(10);
    }

    /** Goes on until one more handler hangs. */
    private void hangOne() throws InterruptedException {
        scene.receiving.runOnce(Duration.ZERO);
        Thread thread = new Thread(() -> {
            while (end.getCount() > 0 && scene.handling.runOnce()) {
                // The next one.
            }
        });
        threads.add(thread);
        thread.start();
        assertThat(hanging.tryAcquire(10, TimeUnit.SECONDS))
                .as("one that hangs")
                .isTrue();
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
