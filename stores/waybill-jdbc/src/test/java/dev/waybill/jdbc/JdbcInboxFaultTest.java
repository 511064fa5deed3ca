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
class JdbcInboxFaultTest extends InboxFaultContract<Connection> {
    /** Each is made once, and emptied by its harness. */
    private static final Map<String, Made> DATABASES = new HashMap<>();

    private record Made(InboxDatabase inbox, Connection judge) {}

    @Parameter(0)
    TableDialect dialect;

    @Parameter(1)
    String layout;

    @Override
    protected InboxFaultHarness<Connection> newInbox() {
        Made made = DATABASES.computeIfAbsent(dialect + layout, unknown -> make());
        return new FaultyInbox(made.inbox(), layout, made.judge());
    }

    private Made make() {
        try {
            InboxDatabase inbox = InboxDatabase.create(dialect, InboxDatabase.layout(layout));
            return new Made(inbox, inbox.database.connect());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
