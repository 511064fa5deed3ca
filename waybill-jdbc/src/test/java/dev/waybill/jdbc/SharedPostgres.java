package dev.waybill.jdbc;

import dev.waybill.embedded.PostgresServer;

/** One PostgreSQL for the tests of this module that do not stop it; it ends with the JVM. */
final class SharedPostgres {
    private static final PostgresServer SERVER = PostgresServer.start();

    private SharedPostgres() {}

    static PostgresServer server() {
        return SERVER;
    }
}
