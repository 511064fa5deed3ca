package dev.waybill.testkit;

import dev.waybill.embedded.MariaDbServer;

/** One MariaDB shared by the tests of a module that do not stop it; it ends with the JVM. */
public final class SharedMariaDb {
    private static final MariaDbServer SERVER = MariaDbServer.start();

    private SharedMariaDb() {}

    public static MariaDbServer server() {
        return SERVER;
    }
}
