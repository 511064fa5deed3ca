package dev.waybill.testkit;

import dev.waybill.embedded.PostgresServer;
import java.util.Map;

/**
 * One PostgreSQL shared by the tests of a module that do not stop it; it ends with the JVM. It runs without autovacuum,
 * so that only tests start transactions or collect statistics.
 */
public final class SharedPostgres {
    private static final PostgresServer SERVER = PostgresServer.start(Map.of("autovacuum", "off"));

    private SharedPostgres() {}

    public static PostgresServer server() {
        return SERVER;
    }
}
