package dev.waybill.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.Selection;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.table.TableSchema;
import dev.waybill.table.TableStore;
import dev.waybill.testkit.SharedPostgres;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Changes of many rows of a table at once, over the API. */
class BulkChangesOfTablesTest {
    private static final String O = ServedApi.OPERATOR;

    @TempDir
    Path directory;

    private DataSource source;
    private ServedApi api;

    @BeforeEach
    void create() throws Exception {
        String database = SharedPostgres.server().createDatabase("rows");
        source = SharedPostgres.server().dataSource(database);
        try (Connection connection = source.getConnection()) {
            TableSchema.create(connection, TableLayout.orders());
        }
        api = ServedApi.start(directory, "", """
                stores:
                  rows: { type: table, layout: orders, url: "%s", user: postgres }
                destinations:
                  rabbit: { type: rabbitmq, uri: "amqp://127.0.0.1:1/", connect-timeout: 100ms }
                relays:
                  rows: { store: rows, destination: rabbit }
                """.formatted(
                        SharedPostgres.server().jdbcUrl(database).replaceFirst("[?].*", "")));
    }

    @AfterEach
    void close() {
        api.close();
    }

    /** @param key an expression of i */
    private void append(int count, String key) throws Exception {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "insert into outbox (id, event_type, aggregate_type, aggregate_id, payload, status, created_at)"
                            + " select gen_random_uuid(), 't', 'Order', (" + key + ")::uuid, '{}', 'NEW',"
                            + " (now() at time zone 'UTC') + i * interval '1 ms' from generate_series(1, " + count
                            + ") i");
        }
    }

    private JsonNode preview(String match) throws Exception {
        return api.change("/api/actions/preview", O, previewOf(match));
    }

    private static String previewOf(String match) {
        return "{\"action\":\"discard\",\"store\":\"rows\",\"relay\":\"rows\",\"match\":{\"state\":\"due\"," + match
                + "}}";
    }

    /** More rows than a search reads were appended after those that are parked. */
    @Test
    void a_selection_by_a_filter_finds_parked_rows_behind_a_long_backlog_or_says_that_it_may_not() throws Exception {
        append(10, OWN);
        relay(place -> new Settlement.RetryAt(Instant.now().plusSeconds(3_600), "the broker is away"));
        append(210_000, OWN);
        JsonNode found = preview("\"aggregateType\":\"Order\"");
        assertThat(found.get("count").asString()).isEqualTo("10");
        assertThat(found.get("exact").asBoolean()).isTrue();
        HttpResponse<String> unknown = api.post("/api/actions/preview", O, previewOf("\"key\":\"Order:1\""));
        assertThat(unknown.statusCode()).isEqualTo(404);
        assertThat(unknown.body()).contains("None of the newest 200,000 events matches");
    }

    private static final String SAME = "'00000000-0000-4000-8000-000000000001'";
    private static final String OWN = "gen_random_uuid()";

    private void relay(IntFunction<Settlement> fate) {
        try (RelaySession session = TableStore.on(source, TableLayout.orders())
                .open(new RelayName("rows"), new OwnerId("host 7"), Duration.ofMinutes(1))
                .orElseThrow()) {
            int place = 0;
            for (Optional<Batch> batch = claim(session); batch.isPresent(); batch = claim(session)) {
                List<Settlement> settlements = new ArrayList<>();
                for (int i = 0; i < batch.get().events().size(); i++) {
                    settlements.add(fate.apply(place++));
                }
                session.settle(batch.get(), settlements);
            }
        }
    }

    private static Optional<Batch> claim(RelaySession session) {
        return session.claim(new Limits(100, 1_000_000));
    }

    private List<Integer> published() {
        List<Integer> published = new ArrayList<>();
        relay(place -> {
            published.add(place);
            return Settlement.PUBLISHED;
        });
        return published;
    }

    private List<String> rows() throws Exception {
        return StreamSupport.stream(
                        api.read("/api/failures/rows/rows/rows?limit=500", O)
                                .get("rows")
                                .spliterator(),
                        false)
                .map(row -> row.get("id").asString())
                .toList();
    }

    private JsonNode preview(String action, String who, String selection) throws Exception {
        return api.change("/api/actions/preview", who, request(action, selection));
    }

    private static String request(String action, String selection) {
        return "{\"action\":\"" + action + "\",\"store\":\"rows\",\"relay\":\"rows\"," + selection + "}";
    }

    private static String named(List<String> ids) {
        return "\"ids\":[\"" + String.join("\",\"", ids) + "\"]";
    }

    private void assertCounts(JsonNode preview, String who, String more, int done, int skipped) throws Exception {
        JsonNode ended = api.ended(api.change(
                "/api/actions/start",
                who,
                "{\"token\":\"" + preview.get("token").asString() + "\",\"reason\":\"a test\"" + more + "}"));
        assertThat(List.of(
                        ended.get("state").asString(),
                        ended.get("done").asString(),
                        ended.get("skipped").asString()))
                .containsExactly("done", "" + done, "" + skipped);
    }

    @Test
    void none_of_a_key_that_is_discarded_with_the_row_it_waits_for_is_published() throws Exception {
        append(5, SAME);
        Settlement later = new Settlement.RetryAt(Instant.now().plusSeconds(3_600), "the broker is away");
        relay(place -> place == 0 ? later : Settlement.BEHIND);
        assertCounts(preview("discard", O, named(rows())), O, "", 5, 0);
        assertThat(published()).isEmpty();
    }

    @Test
    void none_of_a_key_that_is_discarded_in_steps_with_its_dead_row_is_published() throws Exception {
        append(5, SAME);
        relay(place -> place == 0 ? new Settlement.Dead("no", true, true) : Settlement.BEHIND);
        assertCounts(preview("discard", O, named(rows())), O, ",\"rate\":4", 5, 0);
        assertThat(published()).isEmpty();
    }

    @Test
    void rows_that_are_discarded_in_many_steps_are_found_in_the_audit() throws Exception {
        append(300, OWN);
        relay(place -> new Settlement.Dead("refused", true, false));
        List<String> ids = rows();
        assertThat(ids).hasSize(300);
        assertCounts(preview("discard", O, "\"match\":{\"state\":\"dead\"}"), O, "", 300, 0);
        for (int i = 0; i < ids.size(); i += 13) {
            assertThat(api.read("/api/events/rows/" + ids.get(i), O)
                            .get("audit")
                            .size())
                    .as("row %d", i)
                    .isEqualTo(1);
        }
    }

    @Test
    void the_later_of_two_operators_is_told_though_the_row_died_again_meanwhile() throws Exception {
        append(2, OWN);
        relay(place -> new Settlement.Dead("refused", true, false));
        List<String> ids = rows();
        JsonNode ofOne = preview("requeue", O, named(ids.subList(0, 1)));
        JsonNode ofOther = preview("discard", ServedApi.OTHER_OPERATOR, named(ids));
        assertCounts(ofOne, O, "", 1, 0);
        relay(place -> new Settlement.Dead("another error", true, false));

        assertCounts(ofOther, ServedApi.OTHER_OPERATOR, "", 1, 1);
        assertThat(rows()).containsExactly(ids.get(0));
    }

    @Test
    void a_preview_is_void_once_somebody_has_changed_rows_by_a_filter() throws Exception {
        append(2, OWN);
        relay(place -> new Settlement.Dead("refused", true, false));
        List<String> ids = rows();
        JsonNode preview = preview("discard", O, named(ids));
        TableStore.on(source, TableLayout.orders())
                .admin()
                .requeue(new RelayName("rows"), Selection.all(ParkedState.DEAD), new Actor("ada", "mended"));
        relay(place -> new Settlement.Dead("another error", true, false));

        JsonNode ended = api.ended(api.change(
                "/api/actions/start",
                O,
                "{\"token\":\"" + preview.get("token").asString() + "\",\"reason\":\"a test\"}"));
        assertThat(ended.get("state").asString()).isEqualTo("failed");
        assertThat(ended.get("error").asString()).contains("make a new preview");
        assertThat(rows()).containsExactlyInAnyOrderElementsOf(ids);
    }

    @Test
    void more_kinds_of_errors_than_anybody_reads_are_counted() throws Exception {
        append(1_200, OWN);
        relay(place -> new Settlement.Dead(place < 3 ? "refused" : "refused by " + inLetters(place), true, false));

        JsonNode failures = api.read("/api/failures", O);
        assertThat(failures.get("groups").size()).isEqualTo(1_000);
        assertThat(failures.get("groups").get(0).get("count").asString()).isEqualTo("3");
        assertThat(failures.get("smaller").asString()).isEqualTo("198");
    }

    /** Not in digits, which make no kind of error. */
    private static String inLetters(int number) {
        return Integer.toString(number)
                .chars()
                .mapToObj(digit -> Character.toString(digit - '0' + 'g'))
                .collect(Collectors.joining());
    }

    @Test
    void events_that_wait_behind_another_are_not_requeued_and_nobody_is_blamed() throws Exception {
        append(5, SAME);
        relay(place -> place == 0 ? new Settlement.Dead("no", true, true) : Settlement.BEHIND);
        List<String> ids = rows();
        JsonNode all = preview("requeue", O, named(ids));
        assertThat(all.get("count").asString()).isEqualTo("1");
        assertThat(all.get("waiting").asString()).isEqualTo("4");
        assertThat(api.post("/api/actions/preview", O, request("requeue", named(ids.subList(1, 5))))
                        .body())
                .contains("go on by themselves");
        assertCounts(all, O, "", 1, 0);
    }
}
