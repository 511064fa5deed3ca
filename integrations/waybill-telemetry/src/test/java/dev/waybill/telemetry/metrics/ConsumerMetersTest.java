package dev.waybill.telemetry.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.inbox.PermanentFailureException;
import dev.waybill.testkit.Exposition;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ConsumerMetersTest {
    private final Scene scene = new Scene();

    @AfterEach
    void end() {
        scene.close();
    }

    @Test
    void events_are_counted_by_what_became_of_them() {
        scene.send("1", "placed");
        scene.send("1", "placed");
        scene.send("2", "shipped");
        scene.send("bad", "placed");
        scene.consumer("billing", (transaction, event) -> {
            if (event.id().equals("bad")) {
                throw new PermanentFailureException("no such order");
            }
        });
        scene.until(1, "waybill_consumer_events_total", "consumer", "billing", "outcome", "handled");
        scene.until(1, "waybill_consumer_events_total", "consumer", "billing", "outcome", "duplicate");
        scene.until(1, "waybill_consumer_events_total", "consumer", "billing", "outcome", "skipped");
        scene.until(1, "waybill_consumer_events_total", "consumer", "billing", "outcome", "failed");
        scene.until(1, "waybill_consumer_events_total", "consumer", "billing", "outcome", "dead");

        Exposition now = scene.scrape();
        assertThat(now.value("waybill_consumer_events_total", "outcome", "stale"))
                .isZero();
        assertThat(now.value("waybill_consumer_handling_seconds_count", "consumer", "billing"))
                .isEqualTo(2);
        assertThat(now.value("waybill_consumer_lag_seconds_count", "consumer", "billing"))
                .isEqualTo(2);
    }

    @Test
    void held_messages_and_the_age_of_the_oldest_show_while_a_handler_does_not_end() {
        CountDownLatch free = new CountDownLatch(1);
        scene.send("1", "placed");
        scene.send("2", "placed");
        scene.consumer("billing", (transaction, event) -> free.await());
        scene.until(2, "waybill_consumer_held", "consumer", "billing");
        scene.until(1, "waybill_consumer_working", "consumer", "billing");
        double age = scene.scrape().value("waybill_consumer_oldest_age_seconds", "consumer", "billing");
        assertThat(age).isGreaterThanOrEqualTo(0);

        free.countDown();
        scene.until(0, "waybill_consumer_held", "consumer", "billing");
        scene.until(0, "waybill_consumer_oldest_age_seconds", "consumer", "billing");
    }

    @Test
    void a_consumer_whose_broker_is_away_does_not_work() {
        scene.topic.fail("the broker is away");
        scene.consumer("billing", (transaction, event) -> {});
        scene.until(0, "waybill_consumer_working", "consumer", "billing");

        scene.topic.recover();
        scene.until(1, "waybill_consumer_working", "consumer", "billing");
    }
}
