package dev.waybill.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DeadLetterEntryTest {
    @Test
    void long_names_in_a_letter_are_truncated_to_bound_the_memory_of_a_list() {
        String name = "x".repeat(900_000);
        DeadLetterEntry letter = new DeadLetterEntry(
                "orders.dlt",
                "7",
                name,
                Optional.of(name),
                "no",
                Optional.of(Instant.EPOCH),
                name,
                1,
                DeadLetterEntry.Contents.MESSAGE);

        assertThat(letter.eventId().orElseThrow()).hasSize(256).endsWith("…");
        assertThat(letter.consumer()).hasSize(256).endsWith("…");
        assertThat(letter.origin()).as("no topic has such a name").hasSize(256).endsWith("…");
    }
}
