package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.EventIds;
import dev.waybill.NoTransaction;
import dev.waybill.RelayName;
import dev.waybill.embedded.FreePort;
import dev.waybill.embedded.PubSubEmulator;
import dev.waybill.inbox.ConsumerHealth.State;
import dev.waybill.inbox.ConsumerOptions;
import dev.waybill.inbox.EventHandler;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.pubsub.PubSubDeadLetters;
import dev.waybill.pubsub.PubSubOptions;
import dev.waybill.spi.OwnerId;
import dev.waybill.table.TableStore;
import dev.waybill.testkit.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.params.SetParams;
import redis.embedded.RedisServer;

/**
 * The table {@code pubsub}, relayed by {@code waybill run} to Google's emulator, and the compliance consumer with its inbox in
 * Redis ({@link LicenseNotices}). The configuration is that of the documentation, and the settings come from the document's
 * environment variables.
 */
class LicenseNoticesTest {
    private static final String CONSUMER = "compliance";
    private static final String LATER = "search";

    private static PubSubEmulator emulator;
    private static RedisServer redis;
    private static RedisClient keys;
    private static int redisPort;

    private LicenseScene scene;

    @BeforeAll
    static void start() throws IOException {
        Optional<PubSubEmulator> installed = PubSubEmulator.startIfInstalled();
        assumeTrue(installed.isPresent(), "Google's Pub/Sub emulator is not installed here");
        emulator = installed.get();
        redisPort = FreePort.choose();
        redis = RedisServer.newRedisServer()
                .port(redisPort)
                .bind("127.0.0.1")
                .setting("save \"\"")
                .build();
        redis.start();
        keys = RedisClient.create("127.0.0.1", redisPort);
    }

    @AfterAll
    static void stop() throws IOException {
        if (emulator != null) {
            keys.close();
            redis.stop();
            emulator.close();
        }
    }

    @AfterEach
    void end() {
        scene.close();
    }

    @Tag("full")
    @Test
    void rows_become_notices_once_each_and_invalid_rows_die_alone() throws Exception {
        fromTableToNotices("licenses", 8);
    }

    @Test
    @Tag("full")
    void the_same_with_many_licenses() throws Exception {
        fromTableToNotices("licenses-full", 1_000);
    }

    /**
     * The subscription has no message ordering: when a reader is killed, the emulator delivers later messages of an ordering
     * key to no other reader.
     */
    private void fromTableToNotices(String run, int licenses) throws Exception {
        scene = new LicenseScene(EmulatedTopic.unordered(emulator.address(), run), redisUrl());
        scene.execute("alter table outbox_events alter column aggregate_id drop not null");
        RelayChild relay = scene.startRelay();
        RelayChild deadly = scene.startDeadly(CONSUMER, licenses);
        List<String> valid = new ArrayList<>();
        for (int license = 1; license <= licenses; license++) {
            valid.add(scene.insert(
                    LicenseScene.CHANGED,
                    "license",
                    "'l-" + license + "'",
                    LicenseScene.payload(license, "pending", "")));
            valid.add(scene.insert(
                    LicenseScene.CHANGED,
                    "license",
                    "'l-" + license + "'",
                    LicenseScene.payload(license, "rejected", ",\"reason\":\"blurred\"")));
            valid.add(scene.insert(
                    LicenseScene.CHANGED,
                    "license",
                    "'l-" + license + "'",
                    LicenseScene.payload(license, "verified", "")));
        }
        String unknown = scene.insert("license_renamed", "license", "'l-1'", LicenseScene.payload(1, "pending", ""));
        String empty = scene.insert(LicenseScene.CHANGED, "license", "'l-2'", "null");
        String foreign = scene.insert(LicenseScene.CHANGED, "store", "'l-3'", LicenseScene.payload(3, "pending", ""));
        String incomplete = scene.insert(LicenseScene.CHANGED, "license", "'l-4'", "{\"licenseId\":\"l-4\"}");
        String ofNobody = scene.insert(LicenseScene.CHANGED, "license", "null", LicenseScene.payload(5, "pending", ""));

        Await.until("the consumer has killed itself", Duration.ofMinutes(2), () -> !deadly.isAlive());
        try (LicenseNotices notices = LicenseNotices.start(CONSUMER, scene.environment())) {
            Await.until("all notices", Duration.ofMinutes(2), () -> scene.notices(CONSUMER) >= valid.size());
            Await.until("all rows are settled", () -> scene.count("outbox_events where published_at is null") == 5);
            assertThat(notices.consumer().statistics().dead()).isZero();
        }

        assertThat(scene.column("select event_id from notifications")).containsExactlyInAnyOrderElementsOf(valid);
        assertThat(scene.column(
                        "select string_agg(audience || coalesce(' ' || reason, ''), ', ' order by audience, reason)"
                                + " from notifications group by link, store_id"))
                .hasSize(licenses)
                .containsOnly("admin, store blurred, store");
        for (String dead : List.of(unknown, empty, foreign, incomplete, ofNobody)) {
            assertThat(scene.column(
                            "select last_error from outbox_events where published_at is null and attempt_count = "
                                    + LicenseScene.MAX_ATTEMPTS + " and id = '" + dead + "'"))
                    .as(dead)
                    .hasSize(1)
                    .doesNotContainNull();
        }
        assertThat(relay.isAlive()).isTrue();
        assertThat(scene.topic().eventIds()).as("not acknowledged").isEmpty();
        String key = key(valid.get(0));
        assertThat(keys.get(key)).isEqualTo("done");
        assertThat(Duration.ofMillis(keys.pttl(key))).isBetween(Duration.ofHours(47), Duration.ofHours(48));
    }

    /** The key is as a consumer leaves it that dies during the effect. */
    @Test
    void a_duplicate_during_work_is_not_acknowledged() throws Exception {
        scene = begin("licenses-busy");
        String id = EventIds.next();
        keys.set(key(id), "processing:by another", SetParams.setParams().px(3_000));
        try (LicenseNotices notices = LicenseNotices.start(CONSUMER, scene.environment())) {
            scene.send(
                    "l-1", LicenseScene.attributes(id, LicenseScene.CHANGED), LicenseScene.payload(1, "pending", ""));
            Await.until("its notice", () -> {
                long written = scene.notices(CONSUMER);
                boolean atWork = "processing:by another".equals(keys.get(key(id)));
                assertThat(written).isLessThanOrEqualTo(atWork ? 0 : 1);
                return written == 1;
            });
            scene.send(
                    "l-1", LicenseScene.attributes(id, LicenseScene.CHANGED), LicenseScene.payload(1, "pending", ""));
            Await.until(
                    "a duplicate after the work is acknowledged",
                    () -> notices.consumer().statistics().duplicates() == 1);
        }
        assertThat(scene.notices(CONSUMER)).isEqualTo(1);
        assertThat(scene.topic().eventIds()).as("not acknowledged").isEmpty();
    }

    @Test
    void unreadable_messages_become_dead_letters_unknown_types_are_skipped_and_the_rest_moves_on() throws Exception {
        scene = begin("licenses-letters");
        EmulatedTopic letters = EmulatedTopic.make(emulator.address(), "licenses-letters.dlt");
        String good = EventIds.next();
        scene.send("l-1", Map.of("event_type", LicenseScene.CHANGED), LicenseScene.payload(1, "pending", ""));
        scene.send(
                "l-1",
                LicenseScene.attributes(EventIds.next(), "license_renamed"),
                LicenseScene.payload(1, "pending", ""));
        scene.send("l-1", LicenseScene.attributes(EventIds.next(), LicenseScene.CHANGED), "null");
        scene.send("l-1", LicenseScene.attributes(EventIds.next(), LicenseScene.CHANGED), "");
        scene.send("l-1", LicenseScene.attributes(good, LicenseScene.CHANGED), LicenseScene.payload(1, "pending", ""));
        try (LicenseNotices notices = LicenseNotices.start(CONSUMER, scene.environment())) {
            Await.until("the notice", () -> scene.notices(CONSUMER) == 1);
            assertThat(notices.consumer().statistics().passedOver()).isEqualTo(1);
            assertThat(notices.consumer().statistics().dead()).isEqualTo(3);
        }
        assertThat(scene.topic().eventIds()).as("not acknowledged").isEmpty();
        PubSubOptions options = PubSubOptions.of(EmulatedTopic.PROJECT).emulator(emulator.address());
        try (PubSubDeadLetters box = PubSubDeadLetters.of(options)) {
            assertThat(box.list(letters.name(), 10)).hasSize(3);
        }
    }

    @Test
    void an_effect_happens_once_if_redis_is_away_after_it_and_again_if_its_key_is_lost() throws Exception {
        scene = begin("licenses-away");
        String id = EventIds.next();
        CountDownLatch atWork = new CountDownLatch(1);
        CountDownLatch redisIsAway = new CountDownLatch(1);
        LicenseNotices.Changes waiting = new LicenseNotices.Changes(
                handler -> waiting(handler, atWork, redisIsAway),
                transactions -> transactions,
                ConsumerOptions.defaults());
        try (LicenseNotices notices = new LicenseNotices(CONSUMER, scene.environment(), waiting)) {
            scene.send(
                    "l-1", LicenseScene.attributes(id, LicenseScene.CHANGED), LicenseScene.payload(1, "pending", ""));
            atWork.await();
            redis.stop();
            redisIsAway.countDown();
            Await.until("the effect", () -> scene.notices(CONSUMER) == 1);
            Await.until(
                    "the consumer waits for Redis",
                    () -> notices.consumer().health().state() == State.WAITING);
            assertThat(notices.consumer().statistics().dead()).isZero();
            redis.start();
            keys.close();
            keys = RedisClient.create("127.0.0.1", redisPort);
            Await.until(
                    "the effect is recorded after all",
                    () -> notices.consumer().statistics().duplicates() == 1);
            assertThat(keys.get(key(id))).isEqualTo("done");
            assertThat(scene.notices(CONSUMER)).isEqualTo(1);

            keys.del(key(id));
            scene.send(
                    "l-1", LicenseScene.attributes(id, LicenseScene.CHANGED), LicenseScene.payload(1, "pending", ""));
            Await.until("its second effect", () -> scene.notices(CONSUMER) == 2);
        }
    }

    private static EventHandler<NoTransaction> waiting(
            EventHandler<NoTransaction> handler, CountDownLatch atWork, CountDownLatch until) {
        return (none, event) -> {
            atWork.countDown();
            until.await();
            handler.handle(none, event);
        };
    }

    @Tag("full")
    @Test
    void old_rows_are_deleted_and_the_others_replayed_to_a_consumer_deployed_later() throws Exception {
        scene = begin("licenses-replay");
        String old = scene.insert(LicenseScene.CHANGED, "license", "'l-1'", LicenseScene.payload(1, "pending", ""));
        scene.execute("update outbox_events set created_at = now() - interval '31 days',"
                + " published_at = now() - interval '31 days'");
        String dead = scene.insert("license_renamed", "license", "'l-1'", LicenseScene.payload(1, "pending", ""));
        scene.execute("update outbox_events set attempt_count = 7, created_at = now() - interval '40 days' where id = '"
                + dead + "'");
        String kept = scene.insert(LicenseScene.CHANGED, "license", "'l-2'", LicenseScene.payload(2, "pending", ""));
        scene.execute("update outbox_events set published_at = now() - interval '29 days' where id = '" + kept + "'");
        List<String> replayed = new ArrayList<>(List.of(kept));
        for (int license = 3; license <= 6; license++) {
            replayed.add(scene.insert(
                    LicenseScene.CHANGED,
                    "license",
                    "'l-" + license + "'",
                    LicenseScene.payload(license, "pending", "")));
        }
        // A store that no relay has used yet deletes nothing; the next time would be a minute after the start.
        TableStore.on(scene.database(), TableLayout.pubsub())
                .open(new RelayName("licenses-to-pubsub"), new OwnerId("earlier"), Duration.ofSeconds(1))
                .orElseThrow()
                .close();
        scene.startRelay();
        try (LicenseNotices first = LicenseNotices.start(CONSUMER, scene.environment())) {
            Await.until("the notices of new rows", () -> scene.notices(CONSUMER) == 4);
            Await.until(
                    "old rows are deleted",
                    () -> scene.column("select id from outbox_events").size() == 6);
            assertThat(scene.column("select id::text from outbox_events"))
                    .contains(dead, kept)
                    .doesNotContain(old);

            scene.topic().subscribe(LATER);
            Map<String, String> later = new HashMap<>(scene.environment());
            later.put("PACKFINDERZ_PUBSUB_DOMAIN_SUBSCRIPTION", LATER);
            scene.replay();
            try (LicenseNotices second = LicenseNotices.start(LATER, later)) {
                Await.until("the notices of the replay", () -> scene.notices(LATER) == replayed.size());
                assertThat(scene.column("select event_id from notifications where consumer = '" + LATER + "'"))
                        .containsExactlyInAnyOrderElementsOf(replayed);
                assertThat(second.consumer().statistics().dead()).isZero();
            }
            // The row that was published before this trial is new to the first consumer.
            Await.until(
                    "the first consumer has seen its events again",
                    () -> first.consumer().statistics().duplicates() == 4 && scene.notices(CONSUMER) == 5);
        }
    }

    private static LicenseScene begin(String run) throws Exception {
        return new LicenseScene(EmulatedTopic.make(emulator.address(), run), redisUrl());
    }

    private static String redisUrl() {
        return "redis://127.0.0.1:" + redisPort;
    }

    private static String key(String eventId) {
        return "pf:evt:processed:" + CONSUMER + ":" + eventId;
    }
}
