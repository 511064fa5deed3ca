package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.embedded.PubSubEmulator;
import dev.waybill.format.Format;
import dev.waybill.format.HeaderStyle;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.pubsub.PubSubDestination;
import dev.waybill.pubsub.PubSubOptions;
import dev.waybill.registry.EventDefinition;
import dev.waybill.registry.EventRegistry;
import dev.waybill.registry.PayloadCheck;
import dev.waybill.relay.RelayOptions;
import dev.waybill.trials.Messages.Message;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * {@code outbox_events} of the Pub/Sub publisher, created and filled with plain SQL, checked by its registry and
 * relayed to Google's emulator; checks every column afterwards.
 */
class PubSubTableTest {
    private static final String FIRST = "00000000-0000-7000-8000-00000000000a";
    private static final String LATE = "00000000-0000-7000-8000-00000000000b";
    private static final String BEHIND = "00000000-0000-7000-8000-00000000000c";
    private static final String MISFIT = "00000000-0000-7000-8000-00000000000d";
    private static final String LAST = "00000000-0000-7000-8000-00000000000e";
    private static final String GOOD = "00000000-0000-7000-8000-00000000000f";
    private static final String PENDING = "{ \"licenseId\":\"l-1\",\n\"storeId\" : 7, \"status\":\"pending\"}";
    private static final String TABLE = """
            create table outbox_events (
                id uuid primary key,
                event_type varchar(255) not null,
                aggregate_type varchar(255) not null,
                aggregate_id varchar(255) not null,
                payload_json json not null,
                created_at timestamptz not null default now(),
                published_at timestamptz,
                attempt_count integer not null default 0,
                last_error text)""";

    record LicenseChanged(String licenseId, long storeId, String status) {}

    private static final EventRegistry REGISTRY = EventRegistry.of(
            definition("license_status_changed", "pf-domain-events", PayloadCheck.javaType(LicenseChanged.class)),
            definition("license_late", "pf-late", payload -> List.of()),
            definition("license_null", "pf-nulls", payload -> List.of()));

    private static PubSubEmulator emulator;

    private final TableScene scene = new TableScene(
            TableScene.onPostgres(), TableLayout.pubsub(), "outbox_events", Format.raw(HeaderStyle.ATTRIBUTES));

    private static EventDefinition definition(String type, String topic, PayloadCheck payload) {
        return new EventDefinition(type, topic, "license", payload);
    }

    @BeforeAll
    static void startEmulator() {
        Optional<PubSubEmulator> installed = PubSubEmulator.startIfInstalled();
        assumeTrue(installed.isPresent(), "Google's Pub/Sub emulator is not installed here");
        emulator = installed.get();
    }

    @AfterAll
    static void stopEmulator() {
        if (emulator != null) {
            emulator.close();
        }
    }

    @BeforeEach
    void create() throws Exception {
        scene.create(TABLE);
    }

    @AfterEach
    void close() {
        scene.close();
    }

    @Test
    void rows_are_published_or_at_their_last_attempt_when_they_do_not_fit_or_have_no_topic() throws Exception {
        EmulatedTopic topic = EmulatedTopic.make(emulator.address(), "pf-domain-events");
        scene.append(
                insert(FIRST, "license_status_changed", "l-1", PENDING, 1),
                insert(LATE, "license_late", "l-2", "{}", 2),
                insert(BEHIND, "license_status_changed", "l-2", PENDING, 3),
                insert(
                        MISFIT,
                        "license_status_changed",
                        "l-3",
                        "{\"licenseId\": \"SECRET\", \"storeId\": 7, \"more\": 1}",
                        4));
        startRelay();

        scene.awaitFilled(FIRST, "published_at");
        scene.awaitFilled(BEHIND, "published_at");
        scene.await(MISFIT, "attempt_count", "25");
        scene.await(LATE, "attempt_count", "25");
        scene.assertChanged(FIRST, "published_at");
        scene.assertChanged(BEHIND, "published_at");
        scene.assertChanged(LATE, "attempt_count", "last_error");
        scene.assertError(LATE, "last_error", "pf-late");
        scene.assertChanged(MISFIT, "attempt_count", "last_error");
        scene.assertError(MISFIT, "last_error", "/more is a property that LicenseChanged does not have");
        assertMessages(topic.messages());

        EmulatedTopic late = EmulatedTopic.make(emulator.address(), "pf-late");
        scene.requeue(LATE);
        scene.awaitFilled(LATE, "published_at");
        assertThat(late.eventIds()).containsExactly(LATE);
        assertThat(scene.count("published_at between created_at and now()")).isEqualTo(3);
    }

    /** Plain SQL can insert such a row. */
    @Test
    void rows_with_nothing_where_something_must_be_are_dead_and_the_rest_moves_on() throws Exception {
        EmulatedTopic topic = EmulatedTopic.make(emulator.address(), "pf-nulls");
        List<String> columns = List.of("event_type", "aggregate_type", "aggregate_id", "payload_json");
        for (String column : columns) {
            scene.execute("alter table outbox_events alter column " + column + " drop not null");
        }
        scene.append(
                insert(FIRST, "license_null", "l-1", "{}", 1),
                insert(LATE, "license_null", "l-2", "{}", 2).replace("'license',", "null,"),
                insert(BEHIND, "license_null", "l-3", "{}", 3).replace("'l-3'", "null"),
                insert(MISFIT, "license_null", "l-4", "{}", 4).replace("'{}'", "null"),
                insert(LAST, "license_null", "l-5", "{}", 5).replace("'license_null'", "null"),
                insert(GOOD, "license_null", "l-6", "{}", 6));
        startRelay();

        scene.awaitFilled(GOOD, "published_at");
        scene.awaitFilled(LAST, "last_error");
        scene.assertChanged(FIRST, "published_at");
        scene.assertError(LATE, "last_error", "must be \"license\"");
        scene.assertError(BEHIND, "last_error", "it has no aggregate id");
        scene.assertError(MISFIT, "last_error", "the payload is missing");
        scene.assertError(LAST, "last_error", "its type is not in the registry");
        assertThat(scene.count("attempt_count = 25 and published_at is null")).isEqualTo(4);
        assertThat(topic.eventIds()).containsExactlyInAnyOrder(FIRST, GOOD);
    }

    private void startRelay() {
        PubSubOptions options = PubSubOptions.of(EmulatedTopic.PROJECT).emulator(emulator.address());
        scene.startRelay(
                PubSubDestination.of(options), RelayOptions.defaults().retry(TableScene.TWICE), REGISTRY.route());
    }

    private static String insert(String id, String type, String licenseId, String payload, int micros) {
        return "insert into outbox_events (id, event_type, aggregate_type, aggregate_id, payload_json, created_at)"
                + " values ('%s', '%s', 'license', '%s', '%s', '2026-11-01 08:30:00.00000%d+00')"
                        .formatted(id, type, licenseId, payload, micros);
    }

    private static void assertMessages(List<Message> messages) {
        assertThat(messages).hasSize(2).anySatisfy(message -> {
            assertThat(message.key()).isEqualTo("l-1");
            assertThat(message.text()).isEqualTo(PENDING);
            assertThat(message.headers())
                    .isEqualTo(Map.of(
                            "event_id", FIRST,
                            "event_type", "license_status_changed",
                            "aggregate_type", "license",
                            "aggregate_id", "l-1",
                            "created_at", "2026-11-01T08:30:00.000001Z"));
        });
    }
}
