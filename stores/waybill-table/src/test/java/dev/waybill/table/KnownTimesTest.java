package dev.waybill.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoreRefusedException;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whether a time column holds instants is read from the catalogue; only for types without a zone the layout must say it. */
class KnownTimesTest {
    private static final String TABLE = """
            create table outbox (id %3$s primary key, aggregate_type varchar(80) not null,
                aggregate_id %3$s not null, event_type varchar(80) not null, payload text not null,
                status varchar(10) not null, created_at %1$s not null, sent_at %2$s null, error_message text)""";

    private static String instants(TableDialect dialect) {
        return dialect == TableDialect.MARIADB ? "timestamp(6)" : "timestamp(6) with time zone";
    }

    private static String local(TableDialect dialect) {
        return dialect == TableDialect.MARIADB ? "datetime(6)" : "timestamp(6)";
    }

    private static String uuid(TableDialect dialect) {
        return dialect == TableDialect.MARIADB ? "char(36)" : "uuid";
    }

    private static String elsewhere(TableDialect dialect) {
        return switch (dialect) {
            case POSTGRESQL -> "set time zone 'America/New_York'";
            case MARIADB -> "set time_zone = '-05:00'";
            case H2 -> "set time zone '-05:00'";
        };
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_preset_without_zones_reads_and_writes_a_table_whose_columns_hold_instants(TableDialect dialect)
            throws Exception {
        LayoutDatabase database = LayoutDatabase.create(dialect);
        String type = instants(dialect);
        database.execute(TABLE.formatted(type, type, uuid(dialect)));
        try (TableFixture fixture = new TableFixture(database, TableLayout.orders())) {
            String id;
            try (Connection connection = database.begin();
                    Statement statement = connection.createStatement()) {
                statement.execute(elsewhere(dialect));
                id = fixture.append(connection, "a");
                connection.commit();
            }
            RelaySession session = fixture.open("one");
            var batch = session.claim(TableFixture.PLENTY).orElseThrow();

            assertThat(batch.events()).singleElement().satisfies(event -> {
                assertThat(event.id()).hasToString(id);
                assertThat(event.createdAt()).isCloseTo(Instant.now(), within(10, ChronoUnit.MINUTES));
            });
            session.settle(batch, List.of(Settlement.PUBLISHED));
            assertThat(database.rows("select count(*) as sent from outbox where sent_at >= created_at"))
                    .isEqualTo(List.of(Map.of("sent", 1L)));
            assertThat(fixture.store().admin().examine())
                    .filteredOn(finding -> finding.subject().equals("table"))
                    .singleElement()
                    .satisfies(finding -> assertThat(finding.remedy()).isEmpty());
        }
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_type_without_a_zone_is_asked_for_in_the_words_of_the_reader(TableDialect dialect) throws Exception {
        TableLayout unknown = TableLayout.orders().change().timesAreInstants().build();
        LayoutDatabase database = LayoutDatabase.create(dialect, TableLayout.orders());
        TableLayout fromFile = unknown.change().fromFile().build();

        assertThatThrownBy(() -> database.create(unknown)).hasMessageContaining("use timesIn(ZoneOffset.UTC)");
        assertThatThrownBy(() -> database.create(fromFile))
                .hasMessageContaining("set times-in: UTC in the layout, or the zone they are in")
                .hasMessageNotContaining("timesIn(");
        for (TableLayout layout : List.of(unknown, fromFile)) {
            assertThatThrownBy(() -> TableStore.on(database.dataSource(), layout)
                            .open(TableFixture.RELAY, new OwnerId("one"), TableFixture.LEASE))
                    .isInstanceOf(StoreRefusedException.class)
                    .hasMessageContainingAll("its column created_at is ", "which has no zone");
        }
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_table_that_mixes_both_is_refused(TableDialect dialect) throws Exception {
        LayoutDatabase mixed = LayoutDatabase.create(dialect);
        mixed.execute(TABLE.formatted(local(dialect), instants(dialect), uuid(dialect)));

        assertThatThrownBy(() -> mixed.create(TableLayout.orders()))
                .hasMessageContainingAll("its column sent_at is", "which holds instants, unlike");
    }
}
