package dev.waybill.redis;

import dev.waybill.Inbox;
import dev.waybill.NoTransaction;
import dev.waybill.Transactions;
import dev.waybill.embedded.FreePort;
import dev.waybill.tck.faults.FaultInjection;
import dev.waybill.tck.inbox.InboxFaultContract;
import dev.waybill.tck.inbox.InboxFaultHarness;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.UnifiedJedis;
import redis.embedded.RedisServer;

class RedisInboxFaultTest extends InboxFaultContract<NoTransaction> {
    private static RedisServer server;
    private static UnifiedJedis redis;

    @BeforeAll
    static void start() throws IOException {
        int port = FreePort.choose();
        server = RedisServer.newRedisServer()
                .port(port)
                .bind("127.0.0.1")
                .setting("save \"\"")
                .build();
        server.start();
        redis = RedisClient.create("127.0.0.1", port);
    }

    @AfterAll
    static void stop() throws IOException {
        redis.close();
        server.stop();
    }

    @Override
    protected InboxFaultHarness<NoTransaction> newInbox() {
        redis.flushAll();
        return new Harness();
    }

    private static final class Harness implements InboxFaultHarness<NoTransaction> {
        private final FaultyRedis faulty = new FaultyRedis(redis);
        private final RedisInbox inbox = RedisInbox.on(faulty.client());
        private final ConcurrentMap<String, Integer> effects = new ConcurrentHashMap<>();

        @Override
        public Inbox<NoTransaction> inbox() {
            return inbox;
        }

        @Override
        public Transactions<NoTransaction> transactions() {
            return Transactions.none();
        }

        @Override
        public void leaveEffect(NoTransaction none, String name) {
            effects.merge(name, 1, Integer::sum);
        }

        @Override
        public int effects(String name) {
            return effects.getOrDefault(name, 0);
        }

        @Override
        public FaultInjection faults() {
            return faulty;
        }

        @Override
        public List<String> leftovers() {
            return List.of();
        }

        @Override
        public boolean keepsEffectsTogether() {
            return false;
        }

        @Override
        public boolean takesSeveralConsumers() {
            return true;
        }

        @Override
        public boolean guardsVersions() {
            return false;
        }

        @Override
        public void giveUpTheDead() {
            redis.keys("*").stream()
                    .filter(key -> redis.get(key).startsWith("processing:"))
                    .forEach(redis::del);
        }

        @Override
        public void makeOld() {
            throw new AssertionError("Keys in Redis run out by themselves.");
        }

        @Override
        public void close() {}
    }
}
