package dev.waybill.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.Batch;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoredEvent;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A row that cannot be read does not keep the others from being published. Its number is a text, or, on PostgreSQL, it has a byte
 * without an equivalent in UTF-8: 0x81 of WIN1252, which PostgreSQL stores and cannot return.
 */
class UnreadableRowsTest {
    private static final List<String> TEXTS = List.of(
            "type", "aggregate_type", "aggregate_id", "topic", "key", "payload", "content_type", "headers");
    private static final String NUMBER = "version";

    private TableFixture fixture;

    @AfterEach
    void close() {
        fixture.close();
    }

    static Stream<Arguments> columns() {
        Stream<Arguments> texts = TEXTS.stream().map(column -> Arguments.of(TableDialect.POSTGRESQL, column));
        Stream<Arguments> numbers = Stream.of(TableDialect.values()).map(dialect -> Arguments.of(dialect, NUMBER));
        return Stream.concat(texts, numbers)
                .flatMap(each -> Stream.of(false, true)
                        .map(competing -> Arguments.of(each.get()[0], each.get()[1], competing)));
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
        assertThat(dead).singleElement().asString().contains("because of " + name + " (").doesNotContain("v1");
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

    private void create(TableDialect dialect, boolean competing) throws SQLException {
        LayoutDatabase database = dialect == TableDialect.POSTGRESQL
                ? new LayoutDatabase(dialect, dev.waybill.testkit.SharedPostgres.server().dataSource(inEncoding("WIN1252")))
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

    private static String inEncoding(String encoding) throws SQLException {
        String name = "unreadable_" + System.nanoTime();
        LayoutDatabase.create(TableDialect.POSTGRESQL)
                .execute("create database " + name + " template template0 locale 'C' encoding '" + encoding + "'");
        return name;
    }

    private void damage(String column, String id) throws SQLException {
        String value =
                switch (column) {
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

    /** Publishes what can be read; other events become dead. */
    private static List<String> drain(RelaySession session, List<String> dead) {
        List<String> published = new ArrayList<>();
        for (Optional<Batch> batch = session.claim(TableFixture.PLENTY);
                batch.isPresent();
                batch = session.claim(TableFixture.PLENTY)) {
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
