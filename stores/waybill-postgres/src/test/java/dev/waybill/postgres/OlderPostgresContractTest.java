package dev.waybill.postgres;

import dev.waybill.embedded.PostgresServer;
import dev.waybill.tck.ReplayContract;
import dev.waybill.tck.ReplayHarness;
import dev.waybill.tck.StoreContract;
import dev.waybill.tck.StoreHarness;
import dev.waybill.testkit.OlderPostgres;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The contract on every older version that is supported; {@link JournalContractTest} runs on the newest. */
@Tag("full")
class OlderPostgresContractTest {
    private static final JournalsByVersion JOURNALS = new JournalsByVersion();

    @AfterAll
    static void stopServers() {
        JOURNALS.close();
    }

    /** One server of each version for all tests of this class. */
    private static final class JournalsByVersion implements AutoCloseable {
        private final Map<Integer, JournalDatabase> databases = new TreeMap<>();

        synchronized JournalHarness on(int version) {
            return new JournalHarness(
                    databases.computeIfAbsent(version, v -> JournalDatabase.create(OlderPostgres.start(v))));
        }

        @Override
        public synchronized void close() {
            databases.values().stream().map(JournalDatabase::server).forEach(PostgresServer::close);
        }
    }

    @Nested
    class OnPostgres14 extends StoreContract {
        @Override
        protected StoreHarness newStore() {
            return JOURNALS.on(14);
        }
    }

    @Nested
    class OnPostgres15 extends StoreContract {
        @Override
        protected StoreHarness newStore() {
            return JOURNALS.on(15);
        }
    }

    @Nested
    class OnPostgres16 extends StoreContract {
        @Override
        protected StoreHarness newStore() {
            return JOURNALS.on(16);
        }
    }

    @Nested
    class OnPostgres17 extends StoreContract {
        @Override
        protected StoreHarness newStore() {
            return JOURNALS.on(17);
        }
    }

    @Nested
    class ReplaysOnPostgres14 extends ReplayContract {
        @Override
        protected ReplayHarness newStore() {
            return JOURNALS.on(14);
        }
    }
}
