package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.testkit.Await;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SignalTest {
    private static final Duration FOR_EVER = Duration.ofDays(1);

    private final Signal signal = new Signal();

    @Test
    void a_signal_that_was_raised_before_is_not_lost() throws InterruptedException {
        signal.raise();
        signal.await(FOR_EVER);
    }

    @Test
    void it_wakes_a_waiting_thread() throws Exception {
        theNextWaitWaitsUntilItIsRaised();
    }

    @Test
    void a_delayed_signal_ends_the_wait() throws InterruptedException {
        signal.raiseIn(Duration.ofMillis(1));
        signal.await(FOR_EVER);
    }

    @Test
    void a_delayed_signal_wakes_a_thread_that_waits_already() throws Exception {
        Thread thread = waiting();
        signal.raiseIn(Duration.ofMillis(1));
        thread.join();
    }

    @Test
    void a_delayed_signal_makes_no_wait_longer() throws InterruptedException {
        signal.raiseIn(FOR_EVER);
        signal.await(Duration.ofMillis(1));
        signal.raiseIn(FOR_EVER);
        signal.raise();
        signal.await(FOR_EVER);
    }

    @Test
    void a_delayed_signal_ends_one_wait() throws Exception {
        signal.raiseIn(Duration.ZERO);
        signal.await(FOR_EVER);

        theNextWaitWaitsUntilItIsRaised();
    }

    private Thread waiting() {
        Thread thread = new Thread(
                () -> {
                    try {
                        signal.await(FOR_EVER);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "waits");
        thread.setDaemon(true);
        thread.start();
        Await.until("it waits", () -> thread.getState() == Thread.State.TIMED_WAITING);
        return thread;
    }

    @Test
    void without_a_signal_the_wait_times_out() throws InterruptedException {
        signal.await(Duration.ofMillis(1));
    }

    @Test
    void several_signals_end_one_wait() throws Exception {
        signal.raise();
        signal.raise();
        signal.await(FOR_EVER);

        theNextWaitWaitsUntilItIsRaised();
    }

    @Test
    void a_wait_of_zero_resets_the_signal() throws Exception {
        signal.raise();
        signal.await(Duration.ZERO);

        theNextWaitWaitsUntilItIsRaised();
    }

    @Test
    void an_interrupt_ends_the_wait() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> signal.await(FOR_EVER)).isInstanceOf(InterruptedException.class);
    }

    private void theNextWaitWaitsUntilItIsRaised() throws Exception {
        FutureTask<Void> wait = new FutureTask<>(() -> {
            signal.await(FOR_EVER);
            return null;
        });
        Thread thread = new Thread(wait, "waits");
        thread.setDaemon(true);
        thread.start();
        Await.until("it waits", () -> thread.getState() == Thread.State.TIMED_WAITING);
        signal.raise();
        wait.get(30, TimeUnit.SECONDS);
    }
}
