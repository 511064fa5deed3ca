package dev.waybill.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.waybill.RelayName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class AdminRecordsTest {
    private static final Instant NOON = Instant.parse("2026-11-15T12:00:00Z");

    @Test
    void all_given_conditions_must_match() {
        EventFilter filter =
                EventFilter.ALL.type("placed").aggregateType("Order").aggregateId("7");

        assertThat(filter.admits("placed", "Order", "7", "Order:7", NOON)).isTrue();
        assertThat(filter.admits("paid", "Order", "7", "Order:7", NOON)).isFalse();
        assertThat(filter.admits("placed", "Item", "7", "Item:7", NOON)).isFalse();
        assertThat(filter.admits("placed", "Order", "8", "Order:8", NOON)).isFalse();
        assertThat(filter.key("other").admits("placed", "Order", "7", "Order:7", NOON))
                .isFalse();
    }

    @Test
    void a_time_range_includes_its_start_and_excludes_its_end() {
        EventFilter filter = EventFilter.ALL.from(NOON).until(NOON.plusSeconds(1));

        assertThat(filter.admits("", "", "", "", NOON.minusNanos(1))).isFalse();
        assertThat(filter.admits("", "", "", "", NOON)).isTrue();
        assertThat(filter.admits("", "", "", "", NOON.plusMillis(999))).isTrue();
        assertThat(filter.admits("", "", "", "", NOON.plusSeconds(1))).isFalse();
    }

    @Test
    void keys_and_aggregate_ids_are_in_the_audit_and_not_in_logs() {
        EventFilter filter =
                EventFilter.ALL.type("placed").aggregateId("jane@example.org").key("4711");
        Selection selection = new Selection.Matching(ParkedState.DEAD, filter, Optional.of("too large"));

        assertThat(filter.toString()).contains("placed").doesNotContain("jane").doesNotContain("4711");
        assertThat(selection.inWords())
                .isEqualTo(
                        "all dead, type placed, aggregate id jane@example.org, key 4711, error contains \"too large\"");
        assertThat(selection.toString()).doesNotContain("jane").doesNotContain("4711");
    }

    @Test
    void an_id_that_is_selected_twice_is_selected_once() {
        assertThat(Selection.of(List.of("a", "b", "a")).inWords()).isEqualTo("a, b");
    }

    @Test
    void a_state_without_a_relay_is_refused_and_so_is_a_page_of_any_size() {
        EventQuery all = EventQuery.of(EventFilter.ALL);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> new EventQuery(
                        EventFilter.ALL, Optional.empty(), Optional.of(EventHistory.State.DEAD), Optional.empty(), 10))
                .withMessageContaining("Name the relay");
        assertThat(all.in(new RelayName("orders"), EventHistory.State.DEAD).relay())
                .isPresent();
        assertThatIllegalArgumentException().isThrownBy(() -> all.atMost(0)).withMessageContaining("1 to 1000");
        assertThatIllegalArgumentException().isThrownBy(() -> all.atMost(1_001)).withMessageContaining("1 to 1000");
    }

    @Test
    void a_relay_that_did_not_run_for_a_day_is_abandoned() {
        assertThat(unattended(Optional.empty()).abandoned()).isFalse();
        assertThat(unattended(Optional.of(Duration.ofHours(23))).abandoned()).isFalse();
        assertThat(unattended(Optional.of(Duration.ofHours(24))).abandoned()).isTrue();
    }

    @Test
    void the_oldest_event_is_pending_or_parked() {
        Duration minute = Duration.ofMinutes(1);
        Duration hour = Duration.ofHours(1);

        assertThat(oldest(Optional.empty(), Optional.empty())).isEmpty();
        assertThat(oldest(Optional.of(minute), Optional.empty())).contains(minute);
        assertThat(oldest(Optional.of(minute), Optional.of(hour))).contains(hour);
        assertThat(oldest(Optional.of(hour), Optional.of(minute))).contains(hour);
    }

    private static Optional<Duration> oldest(Optional<Duration> pending, Optional<Duration> parked) {
        return status(pending, parked, Optional.empty()).oldest();
    }

    private static RelayStatus unattended(Optional<Duration> time) {
        return status(Optional.empty(), Optional.empty(), time);
    }

    private static RelayStatus status(
            Optional<Duration> oldestPending, Optional<Duration> oldestParked, Optional<Duration> unattended) {
        return new RelayStatus(
                "orders",
                Optional.empty(),
                false,
                0,
                true,
                oldestPending,
                oldestParked,
                0,
                0,
                OptionalDouble.empty(),
                unattended,
                OptionalLong.of(0),
                Optional.empty());
    }
}
