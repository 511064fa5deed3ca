package dev.waybill.testkit;

import dev.waybill.embedded.PostgresServer;
import java.util.Map;

/**
 * One PostgreSQL for the tests of this module that do not stop it; it ends with the JVM. Without autovacuum: nothing but a test
 * ends transactions or takes statistics.
 */
public final class SharedPostgres {
    private static final PostgresServer SERVER = PostgresServer.start(Map.of("autovacuum", "off"));

    private SharedPostgres() {}

    public static PostgresServer server() {
        return SERVER;
    }
}
