package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spi.Delivery;
import dev.waybill.tck.memory.InMemoryDestination;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A relay with a rate limit, on a manual clock. */
class RelayCycleRateTest {
    private final InMemoryDestination broker = new InMemoryDestination();
    private final CycleScene scene = new CycleScene(broker);

    private void append(int events) {
        scene.append(IntStream.rangeClosed(1, events).mapToObj(i -> "a" + i).toArray(String[]::new));
    }

    private int sentIn(Duration time, Duration step) {
        int before = broker.delivered().size();
        for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plus(step)) {
            scene.pass(step);
            scene.run();
        }
        return broker.delivered().size() - before;
    }

    @Test
    void in_a_second_it_sends_as_many_as_the_rate_allows_in_tenths() {
        append(5_000);
        scene.options(options -> options.rate(1_000));
        assertThat(scene.run()).isInstanceOf(CycleResult.Throttled.class);
        assertThat(broker.delivered()).hasSize(100);

        assertThat(sentIn(Duration.ofSeconds(1), Duration.ofMillis(10))).isBetween(900, 1_000);
        assertThat(sentIn(Duration.ofSeconds(2), Duration.ofMillis(7))).isBetween(1_900, 2_000);
    }

    @Test
    void a_throttled_cycle_returns_how_long_to_wait() {
        append(500);
        scene.options(options -> options.rate(1_000));
        CycleResult.Throttled held = (CycleResult.Throttled) scene.run();
        assertThat(held.until()).isEqualTo(Duration.ofMillis(100));
        assertThat(new Pace(RelayOptions.defaults().poll(), new FailureStreak(System::nanoTime)).after(held))
                .isEqualTo(held.until());
        scene.pass(held.until());

        scene.run();
        assertThat(broker.delivered()).hasSize(200);
    }

    @Test
    void a_long_pause_saves_at_most_a_tenth_of_a_second() {
        append(1_000);
        scene.options(options -> options.rate(1_000));
        scene.run();
        scene.pass(Duration.ofHours(1));
        scene.run();

        assertThat(broker.delivered()).hasSize(200);
    }

    @Test
    void a_clock_that_is_set_back_does_not_block_the_relay() {
        append(1_000);
        scene.options(options -> options.rate(1_000));
        scene.run();
        scene.pass(Duration.ofHours(-1));
        scene.run();
        assertThat(broker.delivered()).hasSize(100);

        assertThat(sentIn(Duration.ofMillis(100), Duration.ofMillis(25))).isEqualTo(100);
    }

    @Test
    void a_rate_of_one_per_second_is_kept() {
        append(10);
        scene.options(options -> options.rate(1));
        scene.run();
        assertThat(broker.delivered()).hasSize(1);

        assertThat(sentIn(Duration.ofSeconds(4), Duration.ofMillis(250))).isEqualTo(4);
    }

    @Test
    void without_a_rate_everything_is_sent_at_once() {
        append(5_000);
        assertThat(scene.run()).isEqualTo(CycleResult.IDLE);

        assertThat(broker.delivered()).hasSize(5_000);
    }

    @Test
    void keys_in_doubt_use_no_tokens() {
        for (char letter = 'b'; letter <= 'z'; letter++) {
            for (int many = 1; many <= 40; many++) {
                String key = String.valueOf(letter).repeat(many);
                broker.failKey("Thing:" + key, Integer.MAX_VALUE, new Delivery.InDoubt("partition 3 is unavailable"));
                scene.append(key + 1);
            }
        }
        append(20_000);
        scene.options(options -> options.rate(1_000));
        scene.run();

        assertThat(sentIn(Duration.ofSeconds(10), Duration.ofMillis(10))).isBetween(9_000, 10_000);
    }

    @Test
    void the_tokens_that_keys_in_doubt_save_are_limited() {
        broker.failKey("Thing:a", Integer.MAX_VALUE, new Delivery.InDoubt("partition 3 is unavailable"));
        for (char letter = 'b'; letter <= 'z'; letter++) {
            for (int many = 1; many <= 100; many++) {
                String key = String.valueOf(letter).repeat(many);
                broker.failKey("Thing:" + key, Integer.MAX_VALUE, new Delivery.InDoubt("partition 3 is unavailable"));
                scene.append(key + 1);
            }
        }
        scene.options(options -> options.rate(100));
        sentIn(Duration.ofSeconds(5), Duration.ofMillis(10));

        assertThat(scene.settled()).hasSizeBetween(500, 1_100);
    }
}
