package dev.waybill.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.admin.Finding;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.StoreRefusedException;
import dev.waybill.testkit.SharedPostgres;
import java.sql.SQLException;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** A PostgreSQL database without an encoding is refused. */
class TableEncodingTest {

    @Test
    void a_database_without_an_encoding_gets_no_tables_and_no_relay() throws SQLException {
        LayoutDatabase database = inEncoding("SQL_ASCII");
        TableLayout layout = TableLayout.preset("waybill");
        assertThatThrownBy(() -> database.create(layout))
                .isInstanceOf(SQLException.class)
                .hasMessageContainingAll("SQL_ASCII", "template template0 encoding 'UTF8'", "Nothing was changed");
        database.run(TableSchema.script(layout, TableDialect.POSTGRESQL));
        TableStore store = TableStore.on(database.dataSource(), layout);

        assertThatThrownBy(() -> store.open(TableFixture.RELAY, new OwnerId("one"), TableFixture.LEASE))
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContainingAll("SQL_ASCII", "encoding 'UTF8'");
        assertThat(store.admin().examine())
                .filteredOn(finding -> finding.severity() == Finding.Severity.PROBLEM)
                .extracting(Finding::subject)
                .contains("table");
    }

    /** An empty PostgreSQL database whose text has another encoding than UTF8. */
    static LayoutDatabase inEncoding(String encoding) throws SQLException {
        String name = SharedPostgres.server().createDatabase("unreadable") + "_" + encoding.toLowerCase(Locale.ROOT);
        LayoutDatabase.create(TableDialect.POSTGRESQL)
                .execute("create database " + name + " template template0 locale 'C' encoding '" + encoding + "'");
        return new LayoutDatabase(
                TableDialect.POSTGRESQL, SharedPostgres.server().dataSource(name));
    }
}
