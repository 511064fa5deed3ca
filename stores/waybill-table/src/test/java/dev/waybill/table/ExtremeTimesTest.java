package dev.waybill.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.admin.Finding;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.RelaySession;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A row may have any creation time that its database can store. */
class ExtremeTimesTest {
    private TableFixture fixture;

    @AfterEach
    void close() {
        fixture.close();
    }

    static Stream<Arguments> everywhere() {
        return Stream.of(TableDialect.values())
                .flatMap(dialect -> Stream.of(Arguments.of(dialect, false), Arguments.of(dialect, true)));
    }

    /** In the order of the database. */
    private static List<String> times(TableDialect dialect) {
        return switch (dialect) {
            case POSTGRESQL ->
                List.of(
                        "-infinity",
                        "4713-01-01 00:00:00 BC",
                        "0044-03-15 00:00:00 BC",
                        "0001-01-01 00:00:00",
                        "1899-12-31 00:00:00",
                        "2300-01-01 00:00:00",
                        "294276-12-31 23:59:59",
                        "infinity");
            case MARIADB ->
                List.of(
                        "0000-00-00 00:00:00",
                        "0000-01-01 00:00:00",
                        "0001-01-01 00:00:00",
                        "1000-01-01 00:00:00",
                        "2024-00-10 00:00:00",
                        "2024-02-00 00:00:00",
                        "9999-12-31 23:59:59.999999");
            case H2 ->
                List.of(
                        "-999999999-01-01 00:00:00",
                        "-0044-03-15 00:00:00",
                        "0001-01-01 00:00:00",
                        "2300-01-01 00:00:00",
                        "999999999-12-31 23:59:59");
        };
    }

    private void create(TableDialect dialect, TableLayout layout, boolean competing) throws SQLException {
        fixture = new TableFixture(dialect, layout)
                .with(options ->
                        options.claiming(competing ? TableOptions.Claiming.COMPETING : TableOptions.Claiming.ORDERED));
    }

    private List<String> insertAll(TableDialect dialect) throws SQLException {
        List<String> ids = new ArrayList<>();
        for (String time : times(dialect)) {
            String id = "evt-" + ids.size();
            fixture.execute("insert into {table} (event_id, event_type, aggregate_type, aggregate_id, status, payload,"
                    + " created_at) values ('" + id + "', 't', 'CUSTOMER', " + ids.size() + ", 'PENDING', '{}', '"
                    + time
                    + "')");
            ids.add(id);
        }
        return ids;
    }

    @ParameterizedTest(name = "{0}, competing {1}")
    @MethodSource("everywhere")
    void rows_with_extreme_times_are_sent_in_their_place_and_stop_nobody(TableDialect dialect, boolean competing)
            throws SQLException {
        create(dialect, TableLayout.notifications(), competing);
        List<String> extreme = insertAll(dialect);
        List<String> all = new ArrayList<>(extreme);
        all.add(fixture.append("now"));
        RelaySession session = fixture.open("one");

        List<String> sent = TableFixture.drain(session);
        assertThat(sent).containsExactlyInAnyOrderElementsOf(all);
        assertThat(sent.stream().filter(extreme::contains)).containsExactlyElementsOf(extreme);
        String later = fixture.append("later");
        assertThat(TableFixture.drain(session)).containsExactly(later);
        fixture.passNanos(Duration.ofSeconds(61));
        assertThat(TableFixture.drain(session)).isEmpty();
    }

    @ParameterizedTest(name = "{0}, competing {1}")
    @MethodSource("everywhere")
    void they_are_found_one_by_one(TableDialect dialect, boolean competing) throws SQLException {
        create(dialect, TableLayout.notifications(), competing);
        List<String> extreme = insertAll(dialect);
        RelaySession session = fixture.open("one");

        List<String> sent = new ArrayList<>();
        for (int minute = 0; minute < 2; minute++) {
            Limits one = new Limits(1, 1_000);
            for (Optional<Batch> batch = session.claim(one); batch.isPresent(); batch = session.claim(one)) {
                sent.addAll(TableFixture.ids(batch.get()));
                TableFixture.publish(session, batch.get());
            }
            fixture.passNanos(Duration.ofSeconds(61));
        }
        assertThat(sent).containsExactlyElementsOf(extreme);
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void they_are_counted_and_the_doctor_finds_no_problem(TableDialect dialect) throws SQLException {
        create(dialect, TableLayout.notifications(), false);
        int rows = insertAll(dialect).size();
        fixture.open("one");

        assertThat(fixture.store().admin().relays())
                .singleElement()
                .satisfies(relay -> assertThat(relay.backlog()).isEqualTo(rows));
        assertThat(fixture.store().admin().examine())
                .noneMatch(finding -> finding.severity() == Finding.Severity.PROBLEM);
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void columns_for_instants_have_no_lowest_time_either(TableDialect dialect) throws SQLException {
        create(dialect, TableLayout.pubsub(), false);
        String id = fixture.append("a");
        String time = switch (dialect) {
            case POSTGRESQL -> "'-infinity'";
            case MARIADB -> "'0000-00-00 00:00:00'";
            case H2 -> "timestamp with time zone '-999999999-01-01 00:00:00+00'";
        };
        fixture.execute("update {table} set {created_at} = " + time);
        String other = fixture.append("b");

        assertThat(TableFixture.drain(fixture.open("one"))).containsExactly(id, other);
    }
}
