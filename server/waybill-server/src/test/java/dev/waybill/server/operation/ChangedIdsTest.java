package dev.waybill.server.operation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ids of changed events in entries of the audit. */
class ChangedIdsTest {
    private final ChangedIds ids = new ChangedIds();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2 events: 7, 8",
                "finally 2 events: 7, 8; without 3 that a relay is working on",
                "in the end 1 events: 7, 8",
                "2 events (7, 8); asked for: 25 events by id"
            })
    void counts_are_no_ids_although_ids_may_be_numbers(String details) {
        assertThat(ids.add(details)).isTrue();

        assertThat(List.of("7", "8")).allMatch(ids::have);
        assertThat(List.of("1", "2", "3", "25")).noneMatch(ids::have);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0 events; asked for: a-1", "0 events: a-1", "0 events: all dead"})
    void an_entry_without_a_change_names_nothing(String details) {
        assertThat(ids.add(details)).isTrue();

        assertThat(ids.have("a-1")).isFalse();
    }

    @Test
    void ids_may_have_spaces_commas_and_parentheses() {
        assertThat(ids.add("3 events: one two, (three), Smith, John")).isTrue();

        assertThat(List.of("one two", "(three)", "Smith, John")).allMatch(ids::have);
        assertThat(List.of("one", "two, (thr", "John, ")).noneMatch(ids::have);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1 events: all dead",
                "2 events: all dead, type OrderPlaced",
                "finally 12 events: all due, error contains \"broker\"",
                "300 events: a, b, c",
                "something else"
            })
    void a_change_whose_events_are_not_all_named_is_told(String details) {
        assertThat(ids.add(details)).isFalse();
    }
}
