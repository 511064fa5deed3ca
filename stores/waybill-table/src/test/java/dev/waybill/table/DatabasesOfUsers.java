package dev.waybill.table;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.embedded.PostgresServer;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.testkit.OlderPostgres;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Databases that have users: MariaDB and every supported version of PostgreSQL. There is one server of each. */
final class DatabasesOfUsers implements AutoCloseable {
    static final String MARIADB = "MariaDB";

    private static final String POSTGRESQL = "PostgreSQL ";
    private static final int OLDEST = 14;
    private static final int NEWEST = 18;

    /** The version of Debian 12. */
    private static final int INSTALLED = 15;

    private final Map<Integer, PostgresServer> servers = new TreeMap<>();

    /** All in the full check; otherwise the usual one and an installed one, which takes no download. */
    static Stream<String> names() {
        return Stream.concat(
                Stream.of(MARIADB),
                (Boolean.getBoolean("waybill.full")
                                ? IntStream.rangeClosed(OLDEST, NEWEST)
                                : IntStream.of(INSTALLED, NEWEST))
                        .mapToObj(version -> POSTGRESQL + version));
    }

    /** Like {@link #names}, without the usual version, on which other tests run. */
    static Stream<String> others() {
        return names().filter(name -> !name.equals(POSTGRESQL + NEWEST));
    }

    LayoutDatabase create(String name) {
        if (name.equals(MARIADB)) {
            return LayoutDatabase.create(TableDialect.MARIADB);
        }
        int version = Integer.parseInt(name.substring(POSTGRESQL.length()));
        if (version == NEWEST) {
            return LayoutDatabase.create(TableDialect.POSTGRESQL);
        }
        PostgresServer server = servers.computeIfAbsent(version, DatabasesOfUsers::start);
        return new LayoutDatabase(TableDialect.POSTGRESQL, server.dataSource(server.createDatabase("tables")));
    }

    private static PostgresServer start(int version) {
        if (Boolean.getBoolean("waybill.full")) {
            return OlderPostgres.start(version);
        }
        assumeTrue(PostgresServer.isInstalled(version), POSTGRESQL + version + " is not installed");
        return PostgresServer.startInstalled(version, Map.of("autovacuum", "off"));
    }

    @Override
    public void close() {
        List.copyOf(servers.values()).forEach(PostgresServer::close);
    }
}
