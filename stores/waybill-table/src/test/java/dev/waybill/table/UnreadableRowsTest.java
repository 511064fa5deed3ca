package dev.waybill.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.EventFilter;
import dev.waybill.admin.EventQuery;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.admin.ReplayQuery;
import dev.waybill.admin.Selection;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.embedded.PostgresServer;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoredEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A row that cannot be read does not keep the others from being published. Its number is a text, or, on PostgreSQL, it has a byte
 * without an equivalent in UTF-8: 0x81 of WIN1252, which PostgreSQL stores and cannot return.
 */
class UnreadableRowsTest {
    private static final List<String> TEXTS =
            List.of("type", "aggregate_type", "aggregate_id", "topic", "key", "payload", "content_type", "headers");
    private static final String NUMBER = "version";

    private static final Actor ANNA = new Actor("anna", "the row is corrected");

    private TableFixture fixture;

    @AfterEach
    void close() {
        fixture.close();
    }

    static Stream<Arguments> columns() {
        Stream<Arguments> texts = TEXTS.stream().map(column -> Arguments.of(TableDialect.POSTGRESQL, column));
        Stream<Arguments> numbers = Stream.of(TableDialect.values()).map(dialect -> Arguments.of(dialect, NUMBER));
        return Stream.concat(texts, numbers)
                .flatMap(each ->
                        Stream.of(false, true).map(competing -> Arguments.of(each.get()[0], each.get()[1], competing)));
    }

    @ParameterizedTest(name = "{0}, {1}, competing {2}")
    @MethodSource("columns")
    void a_row_of_which_one_column_cannot_be_read_is_dead_with_the_reason_and_the_others_go_on(
            TableDialect dialect, String column, boolean competing) throws SQLException {
        create(dialect, competing);
        String a1 = fixture.append("a");
        String b1 = fixture.append("b");
        damage(column, fixture.append("a"));
        String a2 = fixture.append("a");
        String b2 = fixture.append("b");
        List<String> dead = new ArrayList<>();

        assertThat(drain(fixture.open("one"), dead)).containsExactly(a1, b1, a2, b2);
        String name = column.equals("key") ? "event_key" : column;
        assertThat(dead)
                .singleElement()
                .asString()
                .contains("because of " + name + " (")
                .doesNotContain("v1");
        assertThat(states()).containsExactly("DEAD");
    }

    /** Of these, only the first was read before. */
    @ParameterizedTest(name = "{0}, competing {1}")
    @MethodSource("everywhere")
    void a_row_that_cannot_be_read_any_more_when_its_retry_is_due_is_dead(TableDialect dialect, boolean competing)
            throws SQLException {
        create(dialect, competing);
        String bad = fixture.append("a");
        String good = fixture.append("b");
        RelaySession session = fixture.open("one");
        Batch first = session.claim(TableFixture.PLENTY).orElseThrow();
        session.settle(first, List.of(fixture.retryIn(Duration.ofSeconds(1)), fixture.retryIn(Duration.ofSeconds(1))));
        damage(NUMBER, bad);
        fixture.clock.advance(Duration.ofSeconds(2));
        List<String> dead = new ArrayList<>();

        assertThat(drain(session, dead)).containsExactly(good);
        assertThat(dead).hasSize(1);
    }

    static Stream<Arguments> everywhere() {
        return Stream.of(TableDialect.values())
                .flatMap(dialect -> Stream.of(Arguments.of(dialect, false), Arguments.of(dialect, true)));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_sweep_goes_over_them(boolean competing) throws SQLException {
        create(TableDialect.POSTGRESQL, competing);
        for (String column : TEXTS) {
            damage(column, fixture.append(column));
        }
        RelaySession session = fixture.open("one");
        List<String> dead = new ArrayList<>();
        for (int minute = 0; minute < 3; minute++) {
            assertThat(drain(session, dead)).isEmpty();
            fixture.passNanos(Duration.ofSeconds(61));
        }
        assertThat(dead).hasSize(TEXTS.size());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 1_000})
    void each_of_many_is_found_whatever_the_limit_of_a_batch(int events) throws SQLException {
        create(TableDialect.POSTGRESQL, false);
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            String id = fixture.append("k" + i % 5);
            if (i % 3 == 1 || i > 36) {
                damage(i % 2 == 0 ? "payload" : "key", id);
            } else {
                expected.add(id);
            }
        }
        List<String> dead = new ArrayList<>();

        assertThat(drain(fixture.open("one"), dead, new Limits(events, 1_000_000)))
                .isEqualTo(expected);
        assertThat(dead).hasSize(40 - expected.size());
    }

    /** They hold their key: the bytes of a key that cannot be read are the same for all its events. */
    @Test
    void events_of_one_key_that_cannot_be_read_wait_for_each_other() throws SQLException {
        create(TableDialect.POSTGRESQL, false);
        damage("key", fixture.append("a"));
        damage("key", fixture.append("b"));
        String good = fixture.append("c");
        RelaySession session = fixture.open("one");
        Batch first = session.claim(new Limits(1, 1_000)).orElseThrow();
        session.settle(first, List.of(new Settlement.Dead("it cannot be read", false, true)));

        assertThat(TableFixture.drain(session)).containsExactly(good);
        assertThat(states()).containsExactlyInAnyOrder("DEAD", "PENDING");
    }

    @Test
    void a_late_transaction_with_such_a_row_is_read_in_order() throws SQLException {
        create(TableDialect.POSTGRESQL, false);
        RelaySession session = fixture.open("one");
        List<String> dead = new ArrayList<>();
        try (Connection late = fixture.database.begin();
                Statement statement = late.createStatement()) {
            String a1 = fixture.append(late, "a");
            String b1 = fixture.append("b");
            assertThat(drain(session, dead)).containsExactly(b1);
            String bad = fixture.append(late, "a");
            statement.execute("update waybill_event set payload = chr(129) where id = '" + bad + "'");
            String a2 = fixture.append(late, "a");
            String b2 = fixture.append("b");
            late.commit();

            assertThat(drain(session, dead)).containsExactly(a1, a2, b2);
        }
        assertThat(dead).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"payload", "key", "type", "headers"})
    void it_is_listed_and_published_once_it_is_corrected_and_requeued_and_stays_dead_before(String column)
            throws SQLException {
        create(TableDialect.POSTGRESQL, false);
        String bad = fixture.append("a");
        damage(column, bad);
        RelaySession session = fixture.open("one");
        List<String> dead = new ArrayList<>();
        StoreAdmin admin = fixture.store().admin();
        for (int times = 1; times <= 2; times++) {
            assertThat(drain(session, dead)).isEmpty();
            assertThat(dead).hasSize(times);
            assertThat(admin.parked(ParkedQuery.of(TableFixture.RELAY))).hasSize(1);
            assertThat(admin.events(EventQuery.of(EventFilter.ALL)).events()).hasSize(1);
            assertThat(admin.show(bad)).isPresent();
            if (times == 2) {
                fixture.execute("update {table} set {" + column + "} = '{}'");
            }
            assertThat(admin.requeue(TableFixture.RELAY, Selection.of(bad), ANNA))
                    .isEqualTo(1);
        }
        assertThat(drain(session, dead)).containsExactly(bad);
    }

    /** It is not read with its page. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_row_with_a_large_payload_that_cannot_be_read_is_dead(boolean competing) throws SQLException {
        create(TableDialect.POSTGRESQL, competing);
        String bad = fixture.append("a");
        fixture.execute("update {table} set {payload} = repeat('x', 20000) || chr(129) where {id} = '" + bad + "'");
        String good = fixture.append("b");
        List<String> dead = new ArrayList<>();

        assertThat(drain(fixture.open("one"), dead)).containsExactly(good);
        assertThat(dead).singleElement().asString().contains("because of payload (SQLSTATE 22P05");
    }

    @Test
    void rows_whose_large_payload_the_disk_has_lost_are_dead_and_the_others_go_on() throws SQLException, IOException {
        try (PostgresServer server = PostgresServer.start()) {
            fixture = new TableFixture(
                    new LayoutDatabase(TableDialect.POSTGRESQL, server.dataSource(server.createDatabase("damaged"))),
                    TableLayout.preset("waybill"));
            List<String> good = new ArrayList<>(List.of(fixture.append("a")));
            for (int i = 0; i < 2; i++) {
                fixture.execute("update {table} set {payload} = (select string_agg(md5(n::text), '')"
                        + " from generate_series(1, 3000) n) where {id} = '" + fixture.append("a") + "'");
                good.add(fixture.append("a"));
            }
            String file = fixture.database.rows("""
                    select current_setting('data_directory') || '/' || pg_relation_filepath(reltoastrelid) as file
                      from pg_class where oid = 'waybill_event'::regclass""").get(0).get("file").toString();
            server.stop();
            Files.write(Path.of(file), new byte[0]);
            server.restart();
            List<String> dead = new ArrayList<>();
            RelaySession session = fixture.open("one");

            assertThat(drain(session, dead)).isEqualTo(good);
            assertThat(dead)
                    .hasSize(2)
                    .allSatisfy(reason -> assertThat(reason).contains("because of payload (SQLSTATE XX001"));
            session.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"payload", "key", "type"})
    void a_replay_goes_over_them(String column) throws SQLException {
        create(TableDialect.POSTGRESQL, false);
        String first = fixture.append("a");
        String bad = fixture.append("b");
        String last = fixture.append("a");
        TableFixture.drain(fixture.open("one"));
        damage(column, bad);
        RelayName again = new RelayName("again");
        fixture.store().replays().start(again, ReplayQuery.EVERYTHING, ANNA);
        List<String> dead = new ArrayList<>();
        try (RelaySession replay = fixture.store()
                .replays()
                .store()
                .open(again, new OwnerId("one"), TableFixture.LEASE)
                .orElseThrow()) {
            assertThat(drain(replay, dead)).containsExactly(first, last);
        }
        assertThat(dead).hasSize(1);
    }

    private void create(TableDialect dialect, boolean competing) throws SQLException {
        LayoutDatabase database = dialect == TableDialect.POSTGRESQL
                ? TableEncodingTest.inEncoding("WIN1252")
                : LayoutDatabase.create(dialect);
        fixture = new TableFixture(database, TableLayout.preset("waybill"))
                .with(options ->
                        options.claiming(competing ? TableOptions.Claiming.COMPETING : TableOptions.Claiming.ORDERED));
        fixture.execute(
                switch (dialect) {
                    case POSTGRESQL, H2 -> "alter table {table} alter column {version} set data type varchar(20)";
                    case MARIADB -> "alter table {table} modify {version} varchar(20)";
                });
    }

    private void damage(String column, String id) throws SQLException {
        String value = switch (column) {
            case NUMBER -> "'v1'";
            case "headers" -> "('\"' || chr(129) || '\"')::json";
            default -> "chr(129)";
        };
        fixture.execute("update {table} set {" + column + "} = " + value + " where {id} = '" + id + "'");
    }

    private List<String> states() throws SQLException {
        return fixture.database.rows("select status from waybill_event where status <> 'PUBLISHED'").stream()
                .map(row -> row.get("status").toString())
                .toList();
    }

    private static List<String> drain(RelaySession session, List<String> dead) {
        return drain(session, dead, TableFixture.PLENTY);
    }

    /** Publishes what can be read; other events become dead. */
    private static List<String> drain(RelaySession session, List<String> dead, Limits limits) {
        List<String> published = new ArrayList<>();
        for (Optional<Batch> batch = session.claim(limits); batch.isPresent(); batch = session.claim(limits)) {
            List<Settlement> settlements = new ArrayList<>();
            for (StoredEvent event : batch.get().events()) {
                if (event.unreadable().isPresent()) {
                    dead.add(event.unreadable().get());
                    settlements.add(new Settlement.Dead(event.unreadable().get(), false, false));
                } else {
                    published.add(event.id().toString());
                    settlements.add(Settlement.PUBLISHED);
                }
            }
            session.settle(batch.get(), settlements);
        }
        return published;
    }
}
