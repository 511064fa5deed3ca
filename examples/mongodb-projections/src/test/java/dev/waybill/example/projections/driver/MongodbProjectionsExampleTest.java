package dev.waybill.example.projections.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.example.kit.Balance;
import dev.waybill.example.kit.Example;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Plays the day with its processes, on Kafka and what the environment offers as MongoDB, and reads its closing balance. */
class MongodbProjectionsExampleTest {
    private static final String SEED = System.getProperty("waybill.baseSeed", "1");

    @Test
    void every_version_of_a_user_is_applied_once_and_in_order() {
        play("--events", "40", "--exit", "--seed", SEED);
    }

    @Test
    @Tag("full")
    void every_one_of_five_hundred_versions_is_applied_once_and_in_order_although_each_process_is_killed() {
        play("--events", "500", "--chaos", "--exit", "--seed", SEED);
    }

    private static void play(String... options) {
        Example.Outcome outcome = MongodbProjectionsExample.example().run(options);

        assertThat(outcome.rows())
                .hasSizeGreaterThan(9)
                .allMatch(Balance.Row::ok)
                .extracting(Balance.Row::what)
                .anyMatch(what -> what.startsWith("M1 users with the name"))
                .anyMatch(what -> what.startsWith("M4 records dead"))
                .anyMatch(what -> what.startsWith("M7 markers"))
                .anyMatch(what -> what.startsWith("M8 cards with the last name"))
                .anyMatch(what -> what.startsWith("M10 records left"));
        assertThat(outcome.exitCode()).isZero();
    }
}
