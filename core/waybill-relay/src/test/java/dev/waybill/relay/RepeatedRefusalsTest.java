package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RepeatedRefusalsTest {
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private final RepeatedRefusals refusals = new RepeatedRefusals(nanos::get);

    @Test
    void a_repeated_refusal_is_one_line_a_minute() {
        int lines = 0;
        for (int second = 0; second < 150; second += 5) {
            lines += refusals.isToBeLogged("the guard is missing") ? 1 : 0;
            nanos.addAndGet(Duration.ofSeconds(5).toNanos());
        }
        assertThat(lines).isEqualTo(3);
    }

    @Test
    void another_refusal_is_logged_at_once() {
        assertThat(refusals.isToBeLogged("the guard is missing")).isTrue();
        assertThat(refusals.isToBeLogged("the table is missing")).isTrue();
        assertThat(refusals.isToBeLogged("the table is missing")).isFalse();
        assertThat(refusals.isToBeLogged("the guard is missing")).isTrue();
    }
}
