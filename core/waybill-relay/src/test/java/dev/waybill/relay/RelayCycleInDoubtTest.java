package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RetryPolicy;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.Settlement;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A part of the destination is unavailable: its keys wait, and others continue. */
class RelayCycleInDoubtTest {
    private static final Delivery DOUBT = new Delivery.InDoubt("partition 3 is unavailable");
    private static final Delivery AWAY = new Delivery.Unavailable("no route to host");

    private final AnsweredByRule broker = new AnsweredByRule(name -> Delivery.DELIVERED);
    private final CycleScene scene = new CycleScene(broker)
            .options(options -> options.retry(new RetryPolicy(0, Duration.ZERO, 1, Duration.ZERO)));

    @Test
    void the_waits_grow_to_five_seconds_while_nothing_succeeds_and_no_attempt_is_counted() {
        partitionOfA(DOUBT);
        scene.append("a1", "b1");
        List<Long> waits = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            scene.run();
            waits.add(waitOf("a1").toSeconds());
            scene.pass(waitOf("a1"));
        }
        assertThat(waits).containsExactly(1L, 2L, 4L, 5L, 5L, 5L);
        assertThat(scene.parked("a1").attempts()).isZero();
        assertThat(scene.dead()).isEmpty();
        assertThat(broker.delivered()).containsExactly("b1");
    }

    @Test
    void keys_that_come_later_wait_no_longer_than_those_that_wait_already() {
        partitionOfA(DOUBT);
        scene.append("a1");
        scene.run();
        scene.pass(Duration.ofSeconds(1));
        scene.run();
        scene.append("aa1");
        scene.run();
        assertThat(waitOf("aa1")).isEqualTo(Duration.ofSeconds(2));
        scene.append("aaa1");
        scene.run();
        assertThat(waitOf("aaa1")).as("one round of tries, one step").isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void after_a_success_the_next_outage_starts_with_one_second() {
        partitionOfA(DOUBT);
        scene.append("a1", "a2");
        scene.run();
        scene.pass(Duration.ofSeconds(1));
        scene.run();
        broker.rule(name -> Delivery.DELIVERED);
        scene.pass(Duration.ofSeconds(2));
        scene.run();
        assertThat(broker.delivered()).containsExactly("a1", "a2");

        partitionOfA(DOUBT);
        scene.append("a3");
        scene.run();
        assertThat(waitOf("a3")).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void an_outage_is_logged_once_at_its_beginning_with_its_keys_and_once_at_its_end() {
        partitionOfA(DOUBT);
        List<String> lines = logged(() -> {
            scene.append("a1", "aa1", "a2");
            for (int i = 0; i < 4; i++) {
                scene.run();
                scene.pass(Duration.ofSeconds(5));
            }
            broker.rule(name -> Delivery.DELIVERED);
            scene.run();
        });

        assertThat(lines).hasSize(2);
        assertThat(lines.get(0)).contains("WARN", "relay", "partition 3 is unavailable", "2 keys are retried");
        assertThat(lines.get(1)).contains("INFO", "continue");
    }

    private static List<String> logged(Runnable work) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream before = System.err;
        System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try {
            work.run();
        } finally {
            System.setErr(before);
        }
        return bytes.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.contains(InDoubtKeys.class.getSimpleName()))
                .toList();
    }

    @Test
    void an_event_in_doubt_behind_a_released_one_is_released() {
        broker.rule(name -> name.startsWith("a") ? DOUBT : AWAY);
        scene.append("b1", "a1", "c1");
        scene.run();

        assertThat(scene.settled()).extracting(CycleScene.Settled::as).containsOnly(Settlement.RELEASED);
        assertThat(scene.parked()).isEmpty();
    }

    @Test
    void an_event_in_doubt_before_a_released_one_is_parked() {
        broker.rule(name -> switch (name) {
            case "a1", "a2" -> DOUBT;
            case "b1" -> AWAY;
            default -> Delivery.DELIVERED;
        });
        scene.append("c1", "a1", "a2", "b1", "d1");
        assertThat(scene.run()).isInstanceOf(CycleResult.Unavailable.class);
        assertThat(scene.lastSettlementOf("c1")).isEqualTo(Settlement.PUBLISHED);
        assertThat(scene.lastSettlementOf("a1")).isInstanceOf(Settlement.RetryAt.class);
        assertThat(scene.lastSettlementOf("a2")).isEqualTo(Settlement.BEHIND);
        assertThat(scene.status().backlog()).isEqualTo(2);

        broker.rule(name -> Delivery.DELIVERED);
        scene.run();
        scene.pass(Duration.ofSeconds(1));
        scene.run();
        assertThat(broker.delivered()).containsExactly("c1", "d1", "b1", "d1", "a1", "a2");
        assertThat(scene.parked()).isEmpty();
    }

    private void partitionOfA(Delivery answer) {
        broker.rule(name -> name.startsWith("a") ? answer : Delivery.DELIVERED);
    }

    private Duration waitOf(String name) {
        return scene.lastSettlementOf(name) instanceof Settlement.RetryAt retry
                ? Duration.between(scene.clock().instant(), retry.at())
                : Duration.ZERO;
    }
}
