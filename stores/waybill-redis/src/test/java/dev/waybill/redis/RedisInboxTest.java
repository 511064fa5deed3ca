package dev.waybill.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.waybill.EventIds;
import dev.waybill.Inbox.Outcome;
import dev.waybill.InboxBusyException;
import dev.waybill.Incoming;
import dev.waybill.InvalidEventException;
import dev.waybill.NoTransaction;
import dev.waybill.embedded.FreePort;
import dev.waybill.spi.FailureKind;
import dev.waybill.spi.TransactionsUnavailableException;
import dev.waybill.tck.faults.Failure;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.params.SetParams;
import redis.embedded.RedisServer;

class RedisInboxTest {
    private static RedisServer server;
    private static UnifiedJedis redis;
    private static int port;

    private final Incoming event = Incoming.event(EventIds.next());
    private final AtomicInteger effects = new AtomicInteger();
    private final RedisInbox inbox = RedisInbox.on(redis);

    @BeforeAll
    static void start() throws IOException {
        port = FreePort.choose();
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

    @Test
    void an_event_is_handled_once_and_its_key_is_as_configured() throws Exception {
        assertThat(handle(inbox)).isEqualTo(Outcome.HANDLED);
        assertThat(handle(inbox)).isEqualTo(Outcome.DUPLICATE);

        String key = "pf:evt:processed:billing:" + event.eventId();
        assertThat(redis.get(key)).isEqualTo("done");
        assertThat(redis.ttl(key)).isBetween(719L * 3600, 720L * 3600);
        assertThat(effects).hasValue(1);
    }

    @Test
    void every_consumer_handles_an_event_separately() throws Exception {
        handle(inbox);

        assertThat(inbox.handleOnce(NoTransaction.NONE, "shipping", event, none -> effects.incrementAndGet()))
                .isEqualTo(Outcome.HANDLED);
        assertThat(effects).hasValue(2);
    }

    @Test
    void colons_in_names_of_consumers_and_in_ids_mix_up_no_events() throws Exception {
        assertThat(inbox.handleOnce(
                        NoTransaction.NONE, "mail", Incoming.event("vip:7"), none -> effects.incrementAndGet()))
                .isEqualTo(Outcome.HANDLED);
        assertThat(inbox.handleOnce(
                        NoTransaction.NONE, "mail:vip", Incoming.event("7"), none -> effects.incrementAndGet()))
                .isEqualTo(Outcome.HANDLED);
        assertThat(inbox.handleOnce(
                        NoTransaction.NONE, "mail%3Avip", Incoming.event("7"), none -> effects.incrementAndGet()))
                .isEqualTo(Outcome.HANDLED);
        assertThat(effects).hasValue(3);
    }

    @Test
    void after_a_failed_effect_the_event_can_be_handled_at_once() throws Exception {
        IOException failure = new IOException("no paper");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> inbox.handleOnce(NoTransaction.NONE, "billing", event, none -> {
                    throw failure;
                }))
                .isSameAs(failure);

        assertThat(redis.exists("pf:evt:processed:billing:" + event.eventId())).isFalse();
        assertThat(handle(inbox)).isEqualTo(Outcome.HANDLED);
    }

    @Test
    void a_duplicate_during_handling_is_reported_as_busy() throws Exception {
        inbox.handleOnce(NoTransaction.NONE, "billing", event, none -> {
            effects.incrementAndGet();
            assertThatExceptionOfType(InboxBusyException.class)
                    .isThrownBy(() -> handle(inbox))
                    .withMessageContaining("do not acknowledge");
        });

        assertThat(handle(inbox)).isEqualTo(Outcome.DUPLICATE);
        assertThat(effects).hasValue(1);
    }

    /** The limit: nothing keeps an effect and its key together. */
    @Test
    void an_effect_happens_again_if_its_consumer_crashes_before_the_mark() throws Exception {
        RedisInbox shortLived =
                RedisInbox.on(redis, RedisInboxOptions.defaults().atWork(Duration.ofMillis(50)));
        // The state after a crash right after the effect.
        effects.incrementAndGet();
        redis.set(
                "pf:evt:processed:billing:" + event.eventId(),
                "processing:dead",
                SetParams.setParams().px(50));
        while (redis.exists("pf:evt:processed:billing:" + event.eventId())) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }

        assertThat(handle(shortLived)).isEqualTo(Outcome.HANDLED);
        assertThat(effects).as("twice, as the guarantees say").hasValue(2);
    }

    @Test
    void a_slow_consumer_does_not_change_the_mark_of_its_successor() throws Exception {
        String key = "pf:evt:processed:billing:" + event.eventId();

        inbox.handleOnce(NoTransaction.NONE, "billing", event, none -> redis.set(key, "processing:successor"));

        assertThat(redis.get(key)).isEqualTo("processing:successor");
    }

    @Test
    void versions_are_refused_with_the_remedy() {
        assertThatExceptionOfType(InvalidEventException.class)
                .isThrownBy(() -> inbox.handleOnce(
                        NoTransaction.NONE, "billing", event.ofEntity("Order:1", 1), none -> effects.incrementAndGet()))
                .withMessageContaining("database");
        assertThat(effects).hasValue(0);
    }

    @Test
    void while_redis_is_unavailable_nothing_is_handled() throws Exception {
        try (UnifiedJedis nobody = RedisClient.create("127.0.0.1", 1)) {
            RedisInbox away = RedisInbox.on(nobody);
            assertThatExceptionOfType(TransactionsUnavailableException.class).isThrownBy(() -> handle(away));
        }
        assertThat(effects).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "READONLY You can't write against a read only replica.",
                "LOADING Redis is loading the dataset in memory",
                "OOM command not allowed when used memory > 'maxmemory'.",
                "CLUSTERDOWN The cluster is down",
                "MASTERDOWN Link with MASTER is down",
                "BUSY Redis is busy running a script.",
                "MISCONF Redis is configured to save RDB snapshots",
                "NOREPLICAS Not enough good replicas to write.",
                "NOAUTH Authentication required.",
                "ERR Error running script (call to f_0a): @user_script:1: @user_script: 1: -OOM command not allowed",
                "ERR Error running script (call to f_0a): @user_script:1: @user_script: 1: -READONLY You can't write",
                "ERR max number of clients reached"
            })
    void an_overloaded_redis_is_unavailable(String answer) {
        assertThat(FailureKind.of(thrownBy(answer))).isEqualTo(FailureKind.UNAVAILABLE);
    }

    @Test
    void a_retryable_error_is_a_conflict_and_any_other_a_failure() {
        assertThat(FailureKind.of(thrownBy("TRYAGAIN Multiple keys request during rehashing of slot")))
                .isEqualTo(FailureKind.CONFLICT);
        assertThat(FailureKind.of(thrownBy("WRONGTYPE Operation against a key holding the wrong kind of value")))
                .isEqualTo(FailureKind.FAILED);
        assertThat(FailureKind.of(thrownBy("ERR unknown command"))).isEqualTo(FailureKind.FAILED);
    }

    @Test
    void an_exhausted_pool_means_unavailable() {
        ConnectionPoolConfig one = new ConnectionPoolConfig();
        one.setMaxTotal(1);
        one.setMaxWait(Duration.ofMillis(10));
        try (RedisClient pooled = RedisClient.builder()
                .hostAndPort("127.0.0.1", port)
                .poolConfig(one)
                .build()) {
            RedisInbox busy = RedisInbox.on(pooled);
            try (var taken = pooled.getPool().getResource()) {
                assertThat(taken.isConnected()).isTrue();
                assertThatExceptionOfType(TransactionsUnavailableException.class)
                        .isThrownBy(() -> handle(busy));
            }
            assertThat(handle(busy)).isEqualTo(Outcome.HANDLED);
        }
    }

    @Test
    void an_effect_that_redis_could_not_record_happens_once() {
        FaultyRedis faulty = new FaultyRedis(redis);
        RedisInbox told = RedisInbox.on(faulty.client());
        faulty.faults().arm(2, Failure.READ_ONLY, () -> {});
        assertThatExceptionOfType(TransactionsUnavailableException.class).isThrownBy(() -> handle(told));

        assertThat(handle(told)).isEqualTo(Outcome.DUPLICATE);
        assertThat(effects).hasValue(1);
    }

    /** The server's answer, as Jedis throws it. */
    private static Throwable thrownBy(String answer) {
        return catchThrowable(() -> redis.eval("return redis.error_reply(ARGV[1])", 0, answer));
    }

    @Test
    void ambiguous_key_patterns_are_refused() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> RedisInboxOptions.defaults().keyPattern("evt:{event}"));
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> RedisInboxOptions.defaults().remember(Duration.ofSeconds(5)));
    }

    private Outcome handle(RedisInbox by) {
        return by.handleOnce(NoTransaction.NONE, "billing", event, none -> effects.incrementAndGet());
    }
}
