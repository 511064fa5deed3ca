package dev.waybill.bench.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BusinessTest {
    @Test
    void the_number_of_a_payload_is_found_in_the_message_around_it() {
        assertThat(Business.number("{\"id\":7,\"payload\":" + Business.payload(123_456) + "}"))
                .isEqualTo(123_456);
        assertThat(Business.number("{\"revision\" : 5}")).isEqualTo(5);
    }

    @Test
    void a_message_of_something_else_is_refused() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> Business.number("{\"id\":7}"))
                .withMessageContaining("has no revision");
    }

    @Test
    void as_many_keys_are_used_as_there_are() {
        assertThat(LongStream.range(0, Business.KEYS).mapToObj(Business::key).distinct())
                .hasSize(Business.KEYS);
    }
}
