package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.relay.MixedOutcomesRun.Setting;
import dev.waybill.relay.RelayOptions.OnDead;
import dev.waybill.relay.ScriptedBroker.Answer;
import dev.waybill.spi.Guarantees.KeyOrder;
import dev.waybill.tck.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A destination may answer every mix of outcomes within a batch and across batches in flight: nothing is lost, keys keep their
 * order, nothing stays parked, and nothing is counted twice.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class EveryMixOfOutcomesTest {
    private static final List<Answer> ANSWERS = List.of(Answer.values());
    private static final List<List<String>> KEYS_OF_THREE = List.of(
            List.of("a1", "a2", "a3"),
            List.of("a1", "a2", "b1"),
            List.of("a1", "b1", "a2"),
            List.of("b1", "a1", "a2"),
            List.of("a1", "b1", "c1"));
    private static final List<List<String>> KEYS_OF_FOUR = List.of(
            List.of("a1", "a2", "a3", "a4"),
            List.of("a1", "b1", "a2", "b2"),
            List.of("a1", "b1", "b2", "a2"),
            List.of("a1", "a2", "b1", "b2"),
            List.of("a1", "b1", "a2", "c1"),
            List.of("a1", "b1", "c1", "d1"));
    private static final int SAMPLE_OF = 12;

    private final List<String> violations = new ArrayList<>();
    private int mixes;

    @Test
    void every_mix_within_a_batch_of_three_is_settled_correctly() {
        for (Setting setting : settings(3)) {
            for (List<String> names : KEYS_OF_THREE) {
                for (int mix = 0; mix < power(3); mix++) {
                    run(setting, names, answers(mix, 3));
                }
            }
        }
        report("batches of three, all");
    }

    @Test
    void mixes_across_two_batches_in_flight_are_settled_correctly() {
        long seed = Seeds.one();
        Random random = new Random(seed);
        twoBatches(() -> random.nextInt(SAMPLE_OF) == 0);
        report("two batches in flight, seed " + seed);
    }

    @Test
    @Tag("full")
    void every_mix_across_two_batches_in_flight_is_settled_correctly() {
        twoBatches(() -> true);
        report("two batches in flight, all");
    }

    private interface Chance {
        boolean isTaken();
    }

    private void twoBatches(Chance chance) {
        for (Setting setting : settings(2)) {
            for (List<String> names : KEYS_OF_FOUR) {
                for (int mix = 0; mix < power(4); mix++) {
                    if (chance.isTaken()) {
                        run(setting, names, answers(mix, 4));
                    }
                }
            }
        }
    }

    private static List<Setting> settings(int batch) {
        List<Setting> settings = new ArrayList<>();
        for (KeyOrder order : KeyOrder.values()) {
            for (OnDead onDead : OnDead.values()) {
                for (int retries : new int[] {0, 3}) {
                    settings.add(new Setting(order, onDead, retries, batch, false));
                    settings.add(new Setting(order, onDead, retries, batch, true));
                }
            }
        }
        return settings;
    }

    private static int power(int events) {
        return (int) Math.pow(ANSWERS.size(), events);
    }

    private static List<Answer> answers(int mix, int events) {
        List<Answer> answers = new ArrayList<>();
        for (int rest = mix, i = 0; i < events; rest /= ANSWERS.size(), i++) {
            answers.add(ANSWERS.get(rest % ANSWERS.size()));
        }
        return answers;
    }

    private void run(Setting setting, List<String> names, List<Answer> answers) {
        mixes++;
        String mix = setting + ", " + names + " answered " + answers + ": ";
        try {
            new MixedOutcomesRun(setting, names, answers).violations().forEach(one -> violations.add(mix + one));
        } catch (RuntimeException | AssertionError e) {
            violations.add(mix + e);
        }
    }

    private void report(String which) {
        System.out.println(
                "EveryMixOfOutcomesTest: " + which + ": " + mixes + " mixes, " + violations.size() + " violations");
        assertThat(violations.subList(0, Math.min(20, violations.size())))
                .as("%d violations of %d mixes", violations.size(), mixes)
                .isEmpty();
    }
}
