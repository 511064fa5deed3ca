package dev.waybill.trials;

import dev.waybill.embedded.MariaDbServer;
import dev.waybill.embedded.PostgresServer;

/** The databases of the notification producer. */
enum NotificationsDatabase {
    POSTGRESQL {
        @Override
        NotificationsScene.TrialSql create() {
            PostgresServer server = TrialServers.postgres();
            String name = server.createDatabase(NAME);
            return new NotificationsScene.TrialSql(
                    server.dataSource(name),
                    server.jdbcUrl(name),
                    '"',
                    "timezone('utc', clock_timestamp())",
                    server::stopImmediately,
                    server::restart);
        }
    },

    MARIADB {
        @Override
        NotificationsScene.TrialSql create() {
            MariaDbServer server = TrialServers.mariaDb();
            String name = server.createDatabase(NAME);
            return new NotificationsScene.TrialSql(
                    server.dataSource(name),
                    server.jdbcUrl(name),
                    '`',
                    "utc_timestamp(6)",
                    server::stopImmediately,
                    server::restart);
        }
    };

    private static final String NAME = "notifications";

    abstract NotificationsScene.TrialSql create();
}
