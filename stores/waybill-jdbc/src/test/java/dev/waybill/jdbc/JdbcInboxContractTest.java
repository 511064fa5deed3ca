package dev.waybill.jdbc;

import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.tck.inbox.InboxContract;
import dev.waybill.tck.inbox.InboxHarness;
import java.sql.Connection;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

@ParameterizedClass(name = "{0}, {1}")
@CsvSource({
    "POSTGRESQL, waybill",
    "POSTGRESQL, processed_events",
    "POSTGRESQL, consumer groups",
    "MARIADB, waybill",
    "MARIADB, processed_events",
    "MARIADB, consumer groups",
    "H2, waybill",
    "H2, processed_events",
    "H2, consumer groups"
})
class JdbcInboxContractTest extends InboxContract<Connection> {
    @Parameter(0)
    TableDialect dialect;

    @Parameter(1)
    String layout;

    @Override
    protected InboxHarness<Connection> newInbox() throws Exception {
        return InboxDatabase.create(dialect, InboxDatabase.layout(layout));
    }
}
