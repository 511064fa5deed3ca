package dev.waybill.server.checkup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.admin.Finding;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.table.TableStore;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

class UnreadableStoreTest {
    @Test
    void the_relays_of_a_store_that_cannot_be_read_are_reported_as_unknown() {
        JdbcDataSource empty = new JdbcDataSource();
        empty.setURL("jdbc:h2:mem:checkup_without_tables;DB_CLOSE_DELAY=-1");
        Map<String, List<Finding>> found = new LinkedHashMap<>();

        new Checkup(found::put)
                .examine(
                        new Checkup.Store(
                                "orders",
                                TableStore.on(empty, TableLayout.orders()).admin(),
                                Set.of("shop"),
                                Optional.empty()),
                        Duration.ofHours(1));

        assertThat(found).containsOnlyKeys("store orders", "relay shop");
        assertThat(found.get("relay shop")).singleElement().satisfies(finding -> {
            assertThat(finding.severity()).isEqualTo(Finding.Severity.WARNING);
            assertThat(finding.what()).startsWith("cannot be told (").contains("42S");
        });
    }
}
