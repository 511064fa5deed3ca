package dev.waybill.testkit;

import dev.waybill.embedded.PostgresServer;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/** A server of an older major version, which only the full check downloads. */
public final class OlderPostgres {
    private OlderPostgres() {}

    public static PostgresServer start(int majorVersion) {
        String directory = Objects.requireNonNull(
                System.getProperty("waybill.olderPostgres"), "the directory of older servers, which Maven sets");
        return PostgresServer.startVersion(majorVersion, Path.of(directory), Map.of("autovacuum", "off"));
    }
}
