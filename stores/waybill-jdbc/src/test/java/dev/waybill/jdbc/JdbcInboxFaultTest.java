package dev.waybill.jdbc;

import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.tck.inbox.InboxFaultContract;
import dev.waybill.tck.inbox.InboxFaultHarness;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
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
class JdbcInboxFaultTest extends InboxFaultContract<Connection> {
    /** Each is made once, and emptied by its harness. */
    private static final Map<String, Made> DATABASES = new HashMap<>();

    private record Made(InboxDatabase inbox, Connection judge) {}

    @Parameter(0)
    TableDialect dialect;

    @Parameter(1)
    String layout;

    /** Of the times in the table. */
    @Parameter(2)
    int digits;

    @Override
    protected InboxFaultHarness<Connection> newInbox() {
        Made made = DATABASES.computeIfAbsent(dialect + layout + digits, unknown -> make());
        return new FaultyInbox(made.inbox(), layout, made.judge());
    }

    private Made make() {
        try {
            InboxDatabase inbox = InboxDatabase.create(dialect, InboxDatabase.layout(layout));
            inbox.keepTimesOf(digits);
            return new Made(inbox, inbox.database.connect());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
