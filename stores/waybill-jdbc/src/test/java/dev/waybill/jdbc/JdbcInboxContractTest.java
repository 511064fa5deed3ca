package dev.waybill.jdbc;

import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.tck.inbox.InboxContract;
import dev.waybill.tck.inbox.InboxHarness;
import java.sql.Connection;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

@ParameterizedClass(name = "{0}, {1}, {2} digits")
@CsvSource({
    "POSTGRESQL, waybill, 6",
    "POSTGRESQL, processed_events, 6",
    "POSTGRESQL, consumer groups, 6",
    "MARIADB, waybill, 6",
    "MARIADB, processed_events, 6",
    "MARIADB, consumer groups, 6",
    "H2, waybill, 6",
    "H2, processed_events, 6",
    "H2, consumer groups, 6",
    "MARIADB, processed_events, 0",
    "MARIADB, consumer groups, 0",
    "H2, processed_events, 0",
    "H2, consumer groups, 0"
})
class JdbcInboxContractTest extends InboxContract<Connection> {
    @Parameter(0)
    TableDialect dialect;

    @Parameter(1)
    String layout;

    /** Of the times in the table. */
    @Parameter(2)
    int digits;

    @Override
    protected InboxHarness<Connection> newInbox() throws Exception {
        InboxDatabase inbox = InboxDatabase.create(dialect, InboxDatabase.layout(layout));
        inbox.keepTimesOf(digits);
        return inbox;
    }
}
