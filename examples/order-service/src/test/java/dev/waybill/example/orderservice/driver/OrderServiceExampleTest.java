package dev.waybill.example.orderservice.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.example.kit.Balance;
import dev.waybill.example.kit.Example;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Plays the day of the order service with its processes, on real servers, and reads its closing balance. */
class OrderServiceExampleTest {
    private static final String SEED = System.getProperty("waybill.baseSeed", "1");

    @Test
    void every_order_is_shipped_once_and_failed_rows_come_back() {
        play("--events", "40", "--exit", "--seed", SEED);
    }

    @Test
    @Tag("full")
    void every_one_of_a_thousand_orders_is_shipped_once_although_each_process_is_killed_twice() {
        assertThat(play("--orders", "1000", "--chaos", "--exit", "--seed", SEED).rows())
                .extracting(Balance.Row::what)
                .anyMatch(what -> what.startsWith("kills of relay"));
    }

    private static Example.Outcome play(String... options) {
        Example.Outcome outcome = OrderServiceExample.example().run(options);

        assertThat(outcome.rows())
                .hasSizeGreaterThan(12)
                .allMatch(Balance.Row::ok)
                .extracting(Balance.Row::what)
                .anyMatch(what -> what.startsWith("O2 rows FAILED"))
                .anyMatch(what -> what.startsWith("O3 rows FAILED after the requeue"))
                .anyMatch(what -> what.startsWith("O5 rows of the day"))
                .anyMatch(what -> what.startsWith("O6 shipments"))
                .anyMatch(what -> what.startsWith("O7 lines"));
        assertThat(outcome.exitCode()).isZero();
        return outcome;
    }
}
