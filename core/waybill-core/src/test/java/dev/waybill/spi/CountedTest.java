package dev.waybill.spi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CountedTest {
    @Test
    void a_noun_has_the_form_of_its_number() {
        assertThat(Counted.of(0, "event")).isEqualTo("0 events");
        assertThat(Counted.of(1, "event")).isEqualTo("1 event");
        assertThat(Counted.of(12_000, "dead letter")).isEqualTo("12,000 dead letters");
        assertThat(Counted.of(1, "event is", "events are")).isEqualTo("1 event is");
        assertThat(Counted.of(2, "event is", "events are")).isEqualTo("2 events are");
    }
}
