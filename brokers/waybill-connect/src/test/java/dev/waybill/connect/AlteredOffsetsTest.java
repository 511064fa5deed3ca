package dev.waybill.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.connect.errors.ConnectException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Offsets that an operator alters or resets, while the connector is stopped. */
class AlteredOffsetsTest {
    private final Journal journal = new Journal();
    private final WaybillSourceConnector connector = new WaybillSourceConnector();
    private Map<String, ?> partition;

    @BeforeEach
    void publish() {
        journal.append("a", 1);
        try (Worker worker = new Worker(journal.configuration(), true)) {
            worker.commitUntil(1);
            partition = worker.partitions().get(0);
        }
        // Connect compares the bytes of its JSON, which two keys could have in either order.
        assertThat(partition).hasSize(1);
        assertThat(partition.get("relay")).asString().matches("orders@[0-9a-f]+");
    }

    @Test
    void a_reset_publishes_the_journal_again() {
        alter(Collections.singletonMap(partition, null));
        assertThatTheNextRecordIs("1");
    }

    @Test
    void a_relay_without_transactions_is_reset_by_the_name_of_its_store() {
        alter(Collections.singletonMap(Map.of("relay", "orders@store"), null));
        assertThatTheNextRecordIs("1");
    }

    /** Connect resets everything that it has ever stored for the connector. */
    @Test
    void a_reset_also_forgets_what_the_connector_does_not_publish_any_more() {
        Map<Map<String, ?>, Map<String, ?>> offsets = new HashMap<>();
        offsets.put(partition, null);
        offsets.put(Map.of("relay", "orders@0123456789abcdef"), null);
        offsets.put(Map.of("relay", "an-older-name@store"), null);
        alter(offsets);
        assertThatTheNextRecordIs("1");
    }

    @Test
    void a_table_is_not_reset() {
        Map<String, String> configuration = journal.configuration();
        configuration.putAll(Map.of("store.type", "table", "store.layout", "waybill"));
        assertThatExceptionOfType(ConnectException.class)
                .isThrownBy(() -> connector.alterOffsets(
                        configuration, Collections.singletonMap(Map.of("relay", "orders@store"), null)))
                .withMessageContaining("offsets of tables cannot be altered");
    }

    @Test
    void from_the_beginning_publishes_the_journal_again() {
        alter(Map.of(partition, Map.of("from", "beginning")));
        assertThatTheNextRecordIs("1");
    }

    @Test
    void from_now_leaves_out_what_is_there() {
        journal.append("a", 2);
        alter(Map.of(partition, Map.of("from", "now")));
        journal.append("a", 3);
        assertThatTheNextRecordIs("3");
    }

    @Test
    void nonsense_changes_nothing() {
        journal.append("a", 2);
        assertThatExceptionOfType(ConnectException.class)
                .isThrownBy(() -> alter(Map.of(partition, Map.of("from", "yesterday"))))
                .withMessageContaining("beginning");
        assertThatExceptionOfType(ConnectException.class)
                .isThrownBy(() -> alter(Map.of(Map.of("relay", "orders@other"), Map.of("from", "now"))))
                .withMessageContaining("none of this connector's journals");
        assertThatTheNextRecordIs("2");
    }

    @Test
    void a_running_relay_is_left_alone() {
        try (Worker worker = new Worker(journal.configuration(), true)) {
            journal.append("a", 2);
            worker.commitUntil(1);
            assertThatExceptionOfType(ConnectException.class)
                    .isThrownBy(() -> alter(Map.of(partition, Map.of("from", "beginning"))))
                    .withMessageContaining("is running");
        }
    }

    /** A worker that is killed between the two steps of a reset leaves a relay that is dropped. */
    @Test
    void a_reset_that_was_interrupted_can_be_repeated() {
        journal.execute("select waybill.drop_relay('orders', 'Kafka Connect', 'its offsets were altered or reset')");
        alter(Collections.singletonMap(partition, null));
        assertThatTheNextRecordIs("1");
    }

    @Test
    void a_refused_request_after_one_that_was_interrupted_changes_nothing() {
        journal.execute("select waybill.drop_relay('orders', 'Kafka Connect', 'its offsets were altered or reset')");
        assertThatExceptionOfType(ConnectException.class)
                .isThrownBy(() -> alter(Map.of(partition, Map.of("from", "NOW"))))
                .withMessageContaining("Nothing was changed");
        assertThat(journal.texts("select relay from waybill.dropped")).containsExactly("orders");
        assertThat(journal.texts("select name from waybill.relay")).isEmpty();
    }

    @Test
    void a_relay_that_an_operator_has_dropped_for_a_similar_reason_stays_dropped() {
        journal.execute("select waybill.drop_relay('orders', 'ann', 'moved (its offsets were altered or reset)')");
        assertThatExceptionOfType(ConnectException.class)
                .isThrownBy(() -> alter(Collections.singletonMap(partition, null)))
                .withMessageContaining("relay restore");
        assertThat(journal.texts("select relay from waybill.dropped")).containsExactly("orders");
    }

    @Test
    void a_relay_that_an_operator_has_dropped_stays_dropped() {
        journal.execute("select waybill.drop_relay('orders', 'ann', 'not needed any more')");
        assertThatExceptionOfType(ConnectException.class)
                .isThrownBy(() -> alter(Collections.singletonMap(partition, null)))
                .withMessageContaining("not needed any more")
                .withMessageContaining("relay restore");
        assertThat(journal.texts("select relay from waybill.dropped")).containsExactly("orders");
    }

    private void alter(Map<Map<String, ?>, Map<String, ?>> offsets) {
        assertThat(connector.alterOffsets(journal.configuration(), offsets)).isTrue();
    }

    /** For a task without a committed offset, as Connect has none after it was altered. */
    private void assertThatTheNextRecordIs(String value) {
        try (Worker worker = new Worker(journal.configuration(), true)) {
            assertThat(worker.poll().get(0).value()).isEqualTo(value);
        }
    }
}
