package dev.waybill.example.polyshop.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.example.kit.Balance.Row;
import dev.waybill.example.kit.Example;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A short day of the shop, with two services killed; each test is about some rows of its closing balance. */
class PolyshopTest {
    private static final String SEED = System.getProperty("waybill.baseSeed", "1");

    private static Collector collector;
    private static Example.Outcome day;

    @BeforeAll
    static void play() throws Exception {
        Optional<String> missing = Tools.missing();
        assumeTrue(missing.isEmpty(), () -> missing.orElse(""));
        collector = new Collector();
        Victims victims = new Victims(Set.of("payment-service", "notification-service"));
        day = Polyshop.play(
                new Day(Optional.of(collector.endpoint()), victims),
                List.of("--orders", "20", "--exit", "--chaos", "--seed", SEED));
    }

    @AfterAll
    static void stop() {
        if (collector != null) {
            collector.close();
        }
    }

    /** All rows that begin with one of the words; there is at least one of each. */
    private static void assertBalanced(String... beginnings) {
        for (String beginning : beginnings) {
            List<Row> found = day.rows().stream()
                    .filter(row -> row.what().startsWith(beginning))
                    .toList();
            assertThat(found).as(beginning).isNotEmpty().allMatch(Row::ok);
        }
    }

    @Test
    void every_row_of_the_closing_balance_is_as_expected_although_services_were_killed() {
        assertThat(day.rows()).allMatch(Row::ok);
        assertThat(day.exitCode()).isZero();
        assertBalanced("kills of payment-service", "kills of notification-service");
    }

    @Test
    void no_process_is_left() {
        assertThat(ProcessHandle.current().descendants().filter(ProcessHandle::isAlive))
                .isEmpty();
    }

    @Test
    void p1_p4_p6_each_event_of_each_outbox_is_published_once_or_again_under_the_key_of_its_domain() {
        assertBalanced("events in Kafka, of each type", "events of ", "messages with a key of another entity");
    }

    @Test
    void p3_every_envelope_is_complete() {
        assertBalanced("messages with an incomplete envelope");
    }

    @Test
    void p8_the_service_in_node_appends_with_plain_sql_and_its_payments_add_up() {
        assertBalanced("payments of orders", "cents paid", "events of payment-service in Kafka");
    }

    @Test
    void p9_the_service_in_python_sends_each_mail_once_and_appends() {
        assertBalanced("mails in the mailbox", "events of notification-service in Kafka");
    }

    @Test
    void p10_p11_every_consumer_processes_each_event_of_its_topics_once() {
        assertBalanced("events processed by search-service", "events processed by analytics-service");
        assertBalanced("products in the search index", "events counted by analytics", "cents counted by analytics");
        assertThat(day.rows().stream().filter(row -> row.what().startsWith("events processed by")))
                .hasSize(6);
    }

    @Test
    void p12_stock_is_not_taken_twice_and_mails_are_not_sent_twice() {
        assertBalanced("products with their stock", "orders whose stock moved twice", "mails in the mailbox");
    }

    @Test
    void p13_p17_a_permanent_error_is_a_dead_letter_that_is_listed_mended_and_sent_back() {
        assertBalanced("dead letters of orders", "… with the document's fields", "… listed by", "… sent back by");
        assertBalanced("dead letters of unreadable messages", "… discarded by");
    }

    @Test
    void p14_one_trace_leads_from_the_request_to_the_mail_and_to_the_collector() {
        assertBalanced("orders with another trace", "mails with another trace", "lines about an event without its id");
        assertBalanced("services with log lines", "orders whose events have several traces");
        assertThat(List.of("/orders", "process order.order.placed.v1", "publish "))
                .allMatch(collector::has);
    }

    @Test
    void p15_each_service_has_the_responsibilities_of_the_documents_table() {
        assertThat(day.rows().stream().filter(row -> row.what().startsWith("section 10: ")))
                .hasSize(Service.values().length)
                .allMatch(Row::ok);
    }

    @Test
    void p16_orders_enter_through_the_gateway_and_are_stored_once_with_their_items() {
        assertBalanced("orders with user, amount, items", "… confirmed", "section 10: gateway");
    }

    @Test
    void the_table_of_responsibilities_is_the_documents() {
        assertThat(Arrays.stream(Service.values()).map(service -> service.label + ": " + service.responsibilities()))
                .containsExactly(
                        "gateway: - - - -",
                        "auth-service: produces outbox - processed_events",
                        "product-service: produces outbox - processed_events",
                        "order-service: produces outbox consumes processed_events",
                        "inventory-service: produces outbox consumes processed_events",
                        "payment-service: produces outbox consumes processed_events",
                        "notification-service: produces outbox consumes processed_events",
                        "search-service: - - consumes processed_events",
                        "analytics-service: - - consumes processed_events");
    }

    @Test
    @Tag("full")
    void a_thousand_orders_add_up_although_every_process_was_killed() {
        Example.Outcome outcome = Polyshop.play(
                new Day(Optional.empty(), Victims.ALL),
                List.of("--orders", "1000", "--exit", "--chaos", "--seed", SEED));
        assertThat(outcome.rows()).allMatch(Row::ok);
        assertThat(outcome.rows().stream().filter(row -> row.what().startsWith("kills of ")))
                .hasSize(Service.values().length + 1);
        assertThat(outcome.exitCode()).isZero();
    }
}
