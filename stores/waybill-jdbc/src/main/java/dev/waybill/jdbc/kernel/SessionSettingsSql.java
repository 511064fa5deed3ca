package dev.waybill.jdbc.kernel;

import java.util.Collection;
import java.util.stream.Collectors;

/** The statements that find, change and put back the settings of a session. */
final class SessionSettingsSql {
    private SessionSettingsSql() {}

    /** Without a value the setting is that of the role, the database or the server again. */
    static final String RESTORE_POSTGRESQL =
            "select set_config(x.name, x.value, false) from unnest(?::text[], ?::text[]) x(name, value)";

    /** MariaDB 11.1 has the isolation level under a second name. */
    static final String FIND_MARIADB = """
            show session variables where variable_name in
                ('time_zone', 'tx_isolation', 'transaction_isolation', 'optimizer_switch', 'innodb_lock_wait_timeout')""";

    /**
     * With statistics from before the side table grew, MariaDB would rather read all of it into a temporary table than look up
     * a few rows: its {@code exists} must stay as it is written.
     */
    static final String APPLY_MARIADB = """
            set session time_zone = '+00:00', session tx_isolation = 'READ-COMMITTED',
                session optimizer_switch = 'exists_to_in=off'""";

    static final String FIND_H2 = "select lock_timeout()";

    /** Fails as a connection that is gone does: pools look at the first two digits. */
    static final String BREAK_H2 = "call signal('08003', 'ended by Waybill')";

    static String restoreMariaDb(Collection<String> names) {
        return "set " + names.stream().map(name -> "session " + name + " = ?").collect(Collectors.joining(", "));
    }

    static String restoreH2(int lockTimeout) {
        return "set lock_timeout " + lockTimeout;
    }
}
