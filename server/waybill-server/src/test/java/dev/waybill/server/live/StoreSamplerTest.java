package dev.waybill.server.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.testkit.Await;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class StoreSamplerTest {
    @Test
    void an_error_of_the_virtual_machine_fails_one_reading_and_not_all_later_ones() {
        AtomicInteger readings = new AtomicInteger();
        AtomicInteger told = new AtomicInteger();
        try (StoreSampler sampler = new StoreSampler(
                "orders",
                Set.of("main"),
                () -> {
                    throw new NoClassDefFoundError("reading " + readings.incrementAndGet());
                },
                new OwnRelays(),
                () -> true,
                () -> {
                    told.incrementAndGet();
                    throw new OutOfMemoryError("for a test");
                })) {
            sampler.start();
            Await.until("it reads again", () -> readings.get() >= 3 && told.get() >= 2);
            assertThat(sampler.sample().unavailable()).get().asString().contains("NoClassDefFoundError: reading ");
        }
    }
}
