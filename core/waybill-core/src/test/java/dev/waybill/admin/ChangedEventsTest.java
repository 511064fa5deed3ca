package dev.waybill.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChangedEventsTest {
    private static final List<String> HOSTILE = List.of(
            "7",
            "x, 7",
            "x; without 1 that y",
            "x; not changed: 9",
            "all dead",
            "",
            " ",
            "(7)",
            "\"",
            "\\",
            "\\\"",
            "\\u0041",
            "two\nlines",
            "…",
            "7…",
            "ö-ß/é",
            "\"7\", \"8\"");

    @Test
    void every_id_is_read_as_it_was_written() {
        for (String id : HOSTILE) {
            ChangedEvents events = ChangedEvents.of(
                            ChangedEvents.inWords(List.of(id), HOSTILE, "") + "; without 3 that wait")
                    .orElseThrow();
            assertThat(events.changed()).containsExactly(id);
            assertThat(events.notChanged()).containsExactlyInAnyOrderElementsOf(HOSTILE);
            assertThat(events.all()).isTrue();
        }
        assertThat(ChangedEvents.ids(Selection.of(HOSTILE).inWords())).containsExactlyElementsOf(HOSTILE);
    }

    @Test
    void ids_of_harmless_characters_are_not_quoted() {
        assertThat(ChangedEvents.inWords(List.of("17", "0c2f8a11-5b90"), List.of("order:3"), ""))
                .isEqualTo("2 events: 17, 0c2f8a11-5b90; not changed: order:3");
        assertThat(ChangedEvents.inWords(List.of(), List.of("a b"), "")).isEqualTo("0 events; not changed: \"a b\"");
    }

    @Test
    void quotes_in_a_part_of_an_error_are_not_taken_for_its_end() {
        Selection selection =
                new Selection.Matching(ParkedState.DEAD, EventFilter.ALL, Optional.of("the \"topic\" is gone"));
        assertThat(selection.inWords()).isEqualTo("all dead, error contains \"the \\\"topic\\\" is gone\"");
    }

    @Test
    void what_was_asked_for_names_no_event_whatever_it_says() {
        for (String words : HOSTILE) {
            ChangedEvents events = ChangedEvents.of(ChangedEvents.inWords(List.of("a"), List.of("b"), words))
                    .orElseThrow();
            assertThat(events).isEqualTo(new ChangedEvents(Set.of("a"), Set.of("b"), true));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2 events: 7, 8",
                "finally 2 events: 7, 8; without 3 that a relay is working on",
                "in the end 2 events: 7, 8; not changed: 25",
                "2 events (7, 8); asked for: 25 events by id"
            })
    void counts_are_no_ids_although_ids_may_be_numbers(String details) {
        ChangedEvents events = ChangedEvents.of(details).orElseThrow();
        assertThat(events.changed()).containsExactlyInAnyOrder("7", "8");
        assertThat(events.all()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0 events; asked for: a-1", "0 events", "0 events matching: all dead"})
    void an_entry_without_a_change_names_nothing(String details) {
        ChangedEvents events = ChangedEvents.of(details).orElseThrow();
        assertThat(events.changed()).isEmpty();
        assertThat(events.all()).isTrue();
    }

    @Test
    void a_filter_names_no_events_whatever_its_values() {
        Selection.Matching filter = new Selection.Matching(
                ParkedState.DEAD, EventFilter.ALL.type(": 7, 8"), Optional.of("; not changed: 9"));
        ChangedEvents events =
                ChangedEvents.of(ChangedEvents.inWords(2, filter)).orElseThrow();
        assertThat(events).isEqualTo(new ChangedEvents(Set.of(), Set.of(), false));
    }

    /** An entry that is too long ends with three dots. */
    @ParameterizedTest
    @ValueSource(strings = {"3 events: 7, 8, 9…", "3 events: 7, 8, \"9, 1…", "300 events: 7, 8"})
    void a_change_whose_events_are_not_all_named_is_told(String details) {
        ChangedEvents events = ChangedEvents.of(details).orElseThrow();
        assertThat(events.changed()).containsExactlyInAnyOrder("7", "8");
        assertThat(events.all()).isFalse();
    }

    @Test
    void other_details_tell_nothing_of_events() {
        assertThat(ChangedEvents.of("it is run by host/7")).isEmpty();
    }

    @Test
    void a_text_with_an_escape_that_nothing_here_writes_names_no_event() {
        assertThat(ChangedEvents.of("1 events: \"\\uzzzz\"").orElseThrow().changed())
                .isEmpty();
    }
}
