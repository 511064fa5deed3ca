package dev.waybill.jdbc;

import dev.waybill.embedded.MariaDbServer;

/** One MariaDB for the tests of this module that do not stop it; it ends with the JVM. */
final class SharedMariaDb {
    private static final MariaDbServer SERVER = MariaDbServer.start();

    private SharedMariaDb() {}

    static MariaDbServer server() {
        return SERVER;
    }
}
