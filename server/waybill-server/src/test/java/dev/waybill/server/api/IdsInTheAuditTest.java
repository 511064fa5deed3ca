package dev.waybill.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RelayName;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.table.TableSchema;
import dev.waybill.table.TableStore;
import dev.waybill.testkit.SharedPostgres;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Ids of tables are any text, which the audit has to name. */
class IdsInTheAuditTest extends JournalApiFixture {
    private static final TableLayout LAYOUT = TableLayout.notifications();
    private ServedApi tables;

    @BeforeEach
    void serveTheTable() throws Exception {
        try (Connection connection = journal.connect()) {
            TableSchema.create(connection, LAYOUT);
        }
        tables = ServedApi.start(directory, "", """
                stores:
                  notes: { type: table, layout: notifications, url: "%s", user: postgres }
                destinations:
                  rabbit: { type: rabbitmq, uri: "amqp://127.0.0.1:1/", connect-timeout: 100ms }
                relays:
                  notes: { store: notes, destination: rabbit }
                """.formatted(journal.url().replaceFirst("[?].*", "")));
    }

    @AfterEach
    void closeTheTable() {
        tables.close();
    }

    private void append(String id) throws Exception {
        try (Connection connection = journal.connect();
                PreparedStatement insert = connection.prepareStatement(
                        "insert into \"EventOutbox\" (event_id, event_type, aggregate_id, aggregate_type, payload, status,"
                                + " created_at) values (?, ?, 1, 'Order', '{}', 'PENDING', now())")) {
            insert.setString(1, id);
            insert.setString(2, "t");
            insert.executeUpdate();
        }
    }

    private void die() {
        try (RelaySession session = TableStore.on(SharedPostgres.server().dataSource(journal.database()), LAYOUT)
                .open(new RelayName("notes"), new OwnerId("x"), Duration.ofMinutes(1))
                .orElseThrow()) {
            Batch batch = session.claim(new Limits(100, 1_000_000)).orElseThrow();
            session.settle(
                    batch,
                    batch.events().stream()
                            .<Settlement>map(event -> new Settlement.Dead("no", false, false))
                            .toList());
        }
    }

    private JsonNode offer(String action, String who, String... ids) throws Exception {
        return tables.change(
                "/api/actions/preview",
                who,
                "{\"action\":\"" + action + "\",\"store\":\"notes\",\"relay\":\"notes\",\"ids\":"
                        + JsonMapper.shared().writeValueAsString(ids) + "}");
    }

    private JsonNode start(JsonNode preview, String who, int rate) throws Exception {
        return tables.ended(tables.change(
                "/api/actions/start",
                who,
                "{\"token\":\"" + preview.get("token").asString() + "\",\"reason\":\"a test\",\"rate\":" + rate + "}"));
    }

    @Test
    void an_id_that_names_another_does_not_make_it_skipped() throws Exception {
        append("victim");
        append("x, victim");
        die();
        JsonNode ended = start(offer("discard", O, "victim", "x, victim"), O, 1);
        assertThat(ended.get("done").asString()).isEqualTo("2");
    }

    @Test
    void an_id_that_looks_like_a_remark_of_the_audit_does_not_let_two_operators_win() throws Exception {
        String id = "x; without 1 that y";
        append(id);
        die();
        JsonNode one = offer("requeue", O, id);
        JsonNode other = offer("discard", ServedApi.OTHER_OPERATOR, id);
        start(one, O, 500);
        die();
        JsonNode ended = start(other, ServedApi.OTHER_OPERATOR, 500);
        assertThat(ended.get("skipped").asString()).isEqualTo("1");
    }

    @Test
    void an_id_that_looks_like_a_filter_does_not_stop_the_operation_that_changes_it() throws Exception {
        append("1");
        append("2");
        append("all dead");
        die();
        JsonNode ended = start(offer("discard", O, "1", "2", "all dead"), O, 2);
        assertThat(ended.get("state").asString()).isEqualTo("done");
    }

    @Test
    void the_audit_names_only_what_was_changed() throws Exception {
        append("a1");
        append("b2");
        die();
        JsonNode mine = offer("discard", O, "a1", "b2");
        JsonNode others = offer("discard", ServedApi.OTHER_OPERATOR, "b2");
        try (Connection connection = journal.connect()) {
            connection.setAutoCommit(false);
            connection.createStatement().execute("select 1 from \"EventOutbox\" where event_id = 'b2' for update");
            start(mine, O, 500);
            connection.rollback();
        }
        JsonNode ended = start(others, ServedApi.OTHER_OPERATOR, 500);
        assertThat(ended.get("done").asString()).isEqualTo("1");
    }

    @Test
    void every_id_is_found_in_the_audit() throws Exception {
        List<String> ids = List.of("a".repeat(200) + ", b", "\"quoted\" \\ \n", "…", "7");
        for (String id : ids) {
            append(id);
        }
        die();
        JsonNode ended = start(offer("discard", O, ids.toArray(String[]::new)), O, 2);
        assertThat(ended.get("done").asString()).isEqualTo("4");
        for (String id : ids) {
            assertThat(tables.read("/api/audit?event=" + URLEncoder.encode(id, StandardCharsets.UTF_8), O)
                            .get("entries")
                            .size())
                    .as(id)
                    .isEqualTo(1);
        }
    }

    @Test
    void the_page_of_an_event_has_no_audit_of_others_because_its_id_is_a_number() throws Exception {
        append("1");
        append("7");
        append("20");
        die();
        start(offer("discard", O, "7"), O, 500);
        assertThat(tables.read("/api/events/notes/1", O).get("audit").size()).isZero();
        assertThat(tables.read("/api/audit?event=1", O).get("entries").size()).isZero();
        assertThat(tables.read("/api/events/notes/7", O).get("audit").size()).isEqualTo(1);
    }
}
