package dev.waybill.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.RetryPolicy;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.mongodb.MongoStore;
import dev.waybill.relay.RelayOptions;
import dev.waybill.server.secrets.Secrets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A preset brings the relay settings of the system it comes from; what the file says wins. */
class PresetSettingsTest {
    @TempDir
    private Path directory;

    private Installation read(String layout, String relay) throws Exception {
        return readStore("{ type: table, url: \"jdbc:postgresql://localhost/shop\", layout: " + layout + " }", relay);
    }

    private Installation readStore(String store, String relay) throws Exception {
        String yaml = """
                stores:
                  outbox: %s
                destinations:
                  kafka: { type: kafka, properties: { bootstrap.servers: "localhost:9092" } }
                relays:
                  relay: { store: outbox, destination: kafka%s }
                """.formatted(store, relay.isEmpty() ? "" : ", " + relay);
        return Installation.read(
                Files.writeString(directory.resolve("waybill.yaml"), yaml), name -> null, new Secrets());
    }

    private RelayOptions options(String layout) throws Exception {
        try (Installation installation = read(layout, "")) {
            return installation.options("relay");
        }
    }

    @Test
    void o4_orders_claims_ten_events_every_five_seconds_and_retries_five_times() throws Exception {
        RelayOptions options = options("orders");
        assertThat(options.batch().events()).isEqualTo(10);
        assertThat(options.poll().interval()).isEqualTo(Duration.ofSeconds(5));
        assertThat(options.poll().maxIdle()).isEqualTo(Duration.ofSeconds(5));
        assertThat(options.retry()).isEqualTo(new RetryPolicy(5, Duration.ofMillis(100), 2, Duration.ofMillis(1_600)));
    }

    @Test
    void g7_pubsub_claims_fifty_events_every_half_second_and_makes_25_attempts() throws Exception {
        RelayOptions options = options("pubsub");
        assertThat(options.batch().events()).isEqualTo(50);
        assertThat(options.poll().maxIdle()).isEqualTo(Duration.ofMillis(500));
        assertThat(options.retry().retries()).isEqualTo(24);
        assertThat(options("{ preset: pubsub, max-attempts: 3 }").retry().retries())
                .isEqualTo(2);
    }

    @Test
    void n1_notifications_claims_a_hundred_every_second_after_two_seconds_and_retries_without_a_maximum()
            throws Exception {
        RelayOptions options = options("notifications");
        Duration second = Duration.ofSeconds(1);
        assertThat(options.batch().events()).isEqualTo(100);
        assertThat(options.poll()).isEqualTo(new RelayOptions.Poll(second, second, Duration.ofSeconds(2)));
        assertThat(options.retry()).isEqualTo(new RetryPolicy(RetryPolicy.UNLIMITED, second, 1, second));
    }

    @Test
    void p5_polyshop_claims_a_hundred_and_retries_temporary_errors_without_a_maximum() throws Exception {
        RelayOptions options = options("polyshop");
        assertThat(options.batch().events()).isEqualTo(100);
        assertThat(options.poll().maxIdle()).isEqualTo(Duration.ofSeconds(1));
        assertThat(options.retry().isUnlimited()).isTrue();
    }

    @Test
    void m5_a_collection_is_polled_every_ten_seconds_at_last_and_its_records_say_how_often_they_are_sent()
            throws Exception {
        try (Installation installation =
                readStore("{ type: mongodb, uri: \"mongodb://localhost:1/\", database: users }", "")) {
            RelayOptions options = installation.options("relay");
            assertThat(options).isEqualTo(RelayOptions.of(MongoStore.relayDefaults()));
            assertThat(options.poll().maxIdle()).isEqualTo(Duration.ofSeconds(10));
            assertThat(options.retry().isUnlimited()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"orders", "pubsub", "notifications", "polyshop", "waybill"})
    void the_library_has_the_same_settings_in_one_call(String preset) throws Exception {
        assertThat(RelayOptions.of(TableLayout.preset(preset).relayDefaults())).isEqualTo(options(preset));
    }

    @Test
    void what_the_file_says_wins_key_by_key_and_the_text_says_where_each_value_comes_from() throws Exception {
        try (Installation installation = read("orders", "batch: 77, retry: { retries: unlimited, first: 1s }")) {
            RelayOptions options = installation.options("relay");
            assertThat(options.batch().events()).isEqualTo(77);
            assertThat(options.retry())
                    .isEqualTo(
                            new RetryPolicy(RetryPolicy.UNLIMITED, Duration.ofSeconds(1), 2, Duration.ofMillis(1_600)));
            assertThat(options.poll().interval()).isEqualTo(Duration.ofSeconds(5));
            assertThat(installation.text())
                    .contains(
                            "    batch: 77\n",
                            "      interval: 5s # preset orders\n",
                            "      retries: unlimited\n",
                            "      first: 1s\n",
                            "      max: 1600ms # preset orders\n",
                            "    count-outages: false # default\n",
                            "    lease: 5s # default\n");
        }
    }

    @Test
    void a_time_of_the_file_may_be_beyond_the_one_of_the_preset_that_belongs_to_it() throws Exception {
        try (Installation installation = read("orders", "poll: { max-idle: 1s }, retry: { first: 2s }")) {
            RelayOptions options = installation.options("relay");
            assertThat(options.poll().interval()).isEqualTo(Duration.ofSeconds(1));
            assertThat(options.retry().max()).isEqualTo(Duration.ofSeconds(2));
        }
        try (Installation installation = read("orders", "poll: { interval: 9s }, retry: { max: 50ms }")) {
            RelayOptions options = installation.options("relay");
            assertThat(options.poll().maxIdle()).isEqualTo(Duration.ofSeconds(9));
            assertThat(options.retry().first()).isEqualTo(Duration.ofMillis(50));
        }
    }

    @Test
    void a_poll_at_fixed_intervals_stays_one_and_the_text_says_so() throws Exception {
        try (Installation installation = read("orders", "poll: { interval: 2s }")) {
            assertThat(installation.options("relay").poll().maxIdle()).isEqualTo(Duration.ofSeconds(2));
            assertThat(installation.text()).contains("      max-idle: 2s # follows interval\n");
        }
        try (Installation installation = read("pubsub", "retry: { max: 2s }")) {
            assertThat(installation.options("relay").retry().first()).isEqualTo(Duration.ofSeconds(2));
            assertThat(installation.text()).contains("      first: 2s # follows max\n");
        }
    }

    @Test
    void outages_count_if_the_file_says_so() throws Exception {
        try (Installation installation = read("orders", "count-outages: true")) {
            assertThat(installation.options("relay").countOutages()).isTrue();
        }
    }

    @Test
    void a_relay_cannot_make_more_attempts_than_its_table_counts() {
        for (String retries : new String[] {"25", "unlimited"}) {
            assertThatThrownBy(() -> read("pubsub", "retry: { retries: " + retries + " }"))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining(
                            "relays.relay.retry.retries: allows more attempts than the layout of the store, in which a row"
                                    + " with 25 attempts is dead: use at most 24, or raise max-attempts of the layout");
        }
    }

    @Test
    void any_other_word_than_unlimited_is_refused() {
        assertThatThrownBy(() -> read("orders", "retry: { retries: forever }"))
                .hasMessageContaining(
                        "relays.relay.retry.retries: is \"forever\" and must be a whole number from 0 to 2147483647, or"
                                + " unlimited");
        assertThatThrownBy(() -> read("orders", "retry: { retries: -1 }"))
                .hasMessageContaining("must be a whole number");
    }
}
