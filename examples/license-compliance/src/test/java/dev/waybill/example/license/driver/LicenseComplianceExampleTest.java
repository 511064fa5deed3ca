package dev.waybill.example.license.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.embedded.PubSubEmulator;
import dev.waybill.example.kit.Balance;
import dev.waybill.example.kit.Example;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Plays the day of license compliance with its processes, on real servers, and reads its closing balance. */
class LicenseComplianceExampleTest {
    private static final String SEED = System.getProperty("waybill.baseSeed", "1");

    @BeforeAll
    static void needsEmulator() {
        assumeTrue(PubSubEmulator.isInstalled(), "Google's Pub/Sub emulator is not installed here");
    }

    @Test
    void every_change_has_its_notice_once_and_is_replayed_to_a_consumer_deployed_later() {
        play("--events", "30", "--exit", "--seed", SEED);
    }

    @Test
    @Tag("full")
    void every_change_has_its_notice_once_although_each_process_and_the_database_are_killed() {
        play("--events", "1000", "--chaos", "--exit", "--seed", SEED);
    }

    private static void play(String... options) {
        Example.Outcome outcome = LicenseComplianceExample.example().run(options);

        assertThat(outcome.rows())
                .hasSizeGreaterThan(11)
                .allMatch(Balance.Row::ok)
                .extracting(Balance.Row::what)
                .anyMatch(what -> what.startsWith("G6 rows refused by the registry"))
                .anyMatch(what -> what.startsWith("G8 keys in Redis"))
                .anyMatch(what -> what.startsWith("G9 G15 notices for admins and stores"))
                .anyMatch(what -> what.startsWith("G11 rows left"))
                .anyMatch(what -> what.startsWith("G14 events on the topic"))
                .anyMatch(what -> what.startsWith("G16 changes known to the consumer"));
        assertThat(outcome.exitCode()).isZero();
    }
}
