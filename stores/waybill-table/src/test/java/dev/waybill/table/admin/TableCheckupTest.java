package dev.waybill.table.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.admin.Finding;
import dev.waybill.admin.Finding.Severity;
import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.table.LayoutDatabase;
import dev.waybill.table.TableOptions;
import dev.waybill.table.TableStore;
import java.sql.SQLException;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class TableCheckupTest {
    /** Findings that depend on the machine or the layout. */
    private static final Set<String> APART = Set.of("durability", "horizon", "order");

    static Stream<Arguments> everywhere() {
        return Stream.of(TableDialect.values())
                .flatMap(dialect -> Stream.of("polyshop", "orders", "pubsub", "notifications", "waybill")
                        .map(preset -> Arguments.of(dialect, preset)));
    }

    @ParameterizedTest
    @MethodSource("everywhere")
    void a_new_table_has_no_problems(TableDialect dialect, String preset) throws SQLException {
        TableLayout layout = TableLayout.preset(preset);
        LayoutDatabase database = LayoutDatabase.create(dialect, layout);

        List<Finding> findings = examine(database, layout, TableOptions.defaults());
        assertThat(findings)
                .extracting(Finding::subject)
                .contains("connection", "encryption", "clock", "table", "schema", "grants", "indexes", "order");
        assertThat(findings)
                .filteredOn(finding -> !APART.contains(finding.subject()))
                .allMatch(finding -> finding.severity() == Severity.FINE);
        assertThat(one("order", findings).severity())
                .isEqualTo(layout.has(TableColumn.SEQUENCE) ? Severity.FINE : Severity.WARNING);
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_table_without_a_helpful_index_is_a_problem_that_the_remedy_removes(TableDialect dialect)
            throws SQLException {
        LayoutDatabase database = LayoutDatabase.create(dialect);
        database.execute("create table outbox (id varchar(36) primary key, aggregate_type varchar(99),"
                + " aggregate_id varchar(36), event_type varchar(99), payload text, status varchar(9),"
                + " created_at timestamp, sent_at timestamp null, error_message text)");

        Finding finding = one("indexes", examine(database, TableLayout.orders(), TableOptions.defaults()));
        assertThat(finding.severity()).isEqualTo(Severity.PROBLEM);
        assertThat(finding.remedy()).startsWith("Run create index ").endsWith(".");

        database.execute(
                finding.remedy().substring("Run ".length(), finding.remedy().length() - 1));
        assertThat(one("indexes", examine(database, TableLayout.orders(), TableOptions.defaults()))
                        .severity())
                .isEqualTo(Severity.FINE);
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void tables_that_are_missing_are_findings_with_the_remedy(TableDialect dialect) {
        List<Finding> findings = examine(LayoutDatabase.create(dialect), TableLayout.orders(), TableOptions.defaults());

        assertThat(one("table", findings).severity()).isEqualTo(Severity.PROBLEM);
        assertThat(one("schema", findings).remedy()).contains("waybill init --layout");
        assertThat(one("grants", findings).severity()).isEqualTo(Severity.WARNING);
    }

    @Test
    void the_checkup_of_a_competing_relay_says_that_no_order_is_promised() throws SQLException {
        LayoutDatabase database = LayoutDatabase.create(TableDialect.H2, TableLayout.orders());

        assertThat(one(
                                "order",
                                examine(
                                        database,
                                        TableLayout.orders(),
                                        TableOptions.defaults().claiming(TableOptions.Claiming.COMPETING)))
                        .what())
                .contains("none is promised");
    }

    @Test
    void the_hour_that_a_zone_with_daylight_saving_repeats_is_a_warning() throws SQLException {
        TableLayout berlin = TableLayout.orders()
                .change()
                .timesIn(ZoneId.of("Europe/Berlin"))
                .build();
        LayoutDatabase database = LayoutDatabase.create(TableDialect.POSTGRESQL, berlin);

        assertThat(one("order", examine(database, berlin, TableOptions.defaults())))
                .satisfies(finding -> {
                    assertThat(finding.severity()).isEqualTo(Severity.WARNING);
                    assertThat(finding.what()).contains("the hour that the clocks of Europe/Berlin repeat");
                });
        assertThat(one("order", examine(database, TableLayout.orders(), TableOptions.defaults()))
                        .what())
                .doesNotContain("daylight");
    }

    @Test
    void an_h2_version_that_loses_rows_is_recognised() {
        assertThat(TableCheckup.losesRows("2.3.232 (2024-08-11)", "jdbc:h2:file:/data/orders"))
                .isTrue();
        assertThat(TableCheckup.losesRows("2.3.232 (2024-08-11)", "jdbc:h2:mem:orders"))
                .isFalse();
        assertThat(TableCheckup.losesRows("2.4.240 (2025-09-22)", "jdbc:h2:file:/data/orders"))
                .isFalse();
    }

    @Test
    void a_sequence_with_a_cache_is_a_problem() throws SQLException {
        TableLayout layout = TableLayout.waybill();
        LayoutDatabase database = LayoutDatabase.create(TableDialect.POSTGRESQL, layout);
        String sequence = (String) database.rows("select pg_get_serial_sequence('" + layout.table() + "', '"
                        + layout.column(TableColumn.SEQUENCE).orElseThrow() + "') as name")
                .get(0)
                .get("name");
        database.execute("alter sequence " + sequence + " cache 50");

        assertThat(one("order", examine(database, layout, TableOptions.defaults()))
                        .what())
                .contains("cache 50");
    }

    @Test
    void an_invalid_index_is_named() throws SQLException {
        LayoutDatabase database = LayoutDatabase.create(TableDialect.POSTGRESQL, TableLayout.orders());
        database.execute(
                "update pg_index set indisvalid = false where indrelid = 'outbox'::regclass" + " and not indisprimary");

        assertThat(one("indexes", examine(database, TableLayout.orders(), TableOptions.defaults()))
                        .what())
                .contains("invalid: ");
    }

    private static List<Finding> examine(LayoutDatabase database, TableLayout layout, TableOptions options) {
        return TableStore.on(database.dataSource(), layout, options).admin().examine();
    }

    private static Finding one(String subject, List<Finding> findings) {
        return findings.stream()
                .filter(finding -> finding.subject().equals(subject))
                .findFirst()
                .orElseThrow();
    }
}
