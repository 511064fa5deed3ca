package dev.waybill.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.Incoming;
import dev.waybill.admin.Actor;
import dev.waybill.admin.EventFilter;
import dev.waybill.admin.EventQuery;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.Selection;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.spi.Batch;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What is printed, beside what is sent. The server of these tests has no roles: which actions a command needs is taken from
 * MongoDB's manual, and no server has confirmed it.
 */
class MongoRolesTest {
    private static final Actor ANNA = new Actor("anna", "to see whether I may");

    private final NeededActions needed = new NeededActions();
    private final OutboxScene scene = new OutboxScene(needed);

    @AfterEach
    void close() {
        scene.close();
    }

    private static Set<String> granted(List<BsonDocument> commands, String role) {
        Set<String> granted = new TreeSet<>();
        for (BsonDocument command : commands) {
            if (command.getString("createRole").getValue().endsWith("_" + role)) {
                command.getArray("privileges").forEach(privilege -> addTo(granted, privilege.asDocument()));
            }
        }
        return granted;
    }

    private static void addTo(Set<String> granted, BsonDocument privilege) {
        BsonDocument resource = privilege.getDocument("resource");
        assertThat(resource.getString("db").getValue()).isEqualTo("shop");
        for (BsonValue action : privilege.getArray("actions")) {
            granted.add(resource.getString("collection").getValue() + " "
                    + action.asString().getValue());
        }
    }

    private static Set<String> granted(String role) {
        return granted(MongoRoles.commands("shop", MongoWorld.OUTBOX), role);
    }

    private void startAnew() {
        needed.forget();
    }

    /** One event published, one waiting for its retry and one dead. */
    private RelaySession threeEventsAndARelay() {
        scene.append(OutboxScene.event("e1", "u1"), OutboxScene.event("e2", "u2"), OutboxScene.event("e3", "u3"));
        RelaySession relay = scene.open("a");
        settleThree(relay);
        return relay;
    }

    private void settleThree(RelaySession relay) {
        Batch batch = relay.claim(OutboxScene.PLENTY).orElseThrow();
        relay.settle(
                batch,
                List.of(
                        Settlement.PUBLISHED,
                        scene.retryIn(Duration.ofMinutes(1)),
                        new Settlement.Dead("it cannot be sent", false, false)));
    }

    @Test
    void a_producer_is_granted_what_append_needs_and_no_more() {
        startAnew();
        scene.append(OutboxScene.event("e1", "u1"));
        assertThat(granted("producer")).isEqualTo(needed.all());
    }

    @Test
    void a_relay_is_granted_what_it_needs_from_opening_to_retention_and_no_more() {
        scene.append(OutboxScene.event("e1", "u1"), OutboxScene.event("e2", "u2"), OutboxScene.event("e3", "u3"));
        startAnew();
        RelaySession relay = scene.open("a");
        settleThree(relay);
        assertThat(relay.renew()).isTrue();
        scene.clock.advance(Duration.ofMinutes(2));
        OutboxScene.drain(relay);
        relay.close();
        scene.store().admin().purge(Duration.ZERO, 10);
        assertThat(granted("relay")).isEqualTo(needed.all());
    }

    @Test
    void a_viewer_is_granted_what_looking_needs_and_no_more() {
        threeEventsAndARelay();
        startAnew();
        look(scene.store().admin());
        assertThat(granted("viewer")).isEqualTo(needed.all());
    }

    private static void look(StoreAdmin admin) {
        admin.relays();
        admin.parked(ParkedQuery.of(OutboxScene.RELAY));
        admin.events(EventQuery.of(EventFilter.ALL));
        admin.show("e3");
        admin.previewRequeue(OutboxScene.RELAY, Selection.all(ParkedState.DEAD));
        admin.previewDiscard(OutboxScene.RELAY, Selection.all(ParkedState.DEAD));
        admin.audit(10);
        admin.examine();
    }

    @Test
    void an_operator_is_granted_what_every_action_needs_and_no_more() {
        RelaySession relay = threeEventsAndARelay();
        startAnew();
        StoreAdmin admin = scene.store().admin();
        look(admin);
        admin.payload("e1", ANNA);
        admin.pause(OutboxScene.RELAY, ANNA);
        admin.resume(OutboxScene.RELAY, ANNA);
        assertThat(admin.requeue(OutboxScene.RELAY, Selection.all(ParkedState.DEAD), ANNA))
                .isOne();
        admin.discard(OutboxScene.RELAY, Selection.all(ParkedState.DEAD), ANNA);
        admin.purge(Duration.ZERO, ANNA);
        admin.note("send-back", "three letters", ANNA);
        relay.close();
        admin.drop(OutboxScene.RELAY, ANNA);
        admin.restore(OutboxScene.RELAY, ANNA);
        assertThat(granted("operator")).isEqualTo(needed.all());
    }

    @Test
    void a_consumer_is_granted_what_its_inbox_needs_and_no_more() {
        MongoInbox inbox = MongoInbox.on(scene.world.database());
        inbox.create();
        startAnew();
        for (long version : new long[] {1, 2, 2}) {
            MongoTransactions.on(scene.world.client())
                    .call(session -> inbox.handleOnce(
                            session, "billing", Incoming.event("e" + version).ofEntity("u1", version), none -> {}));
        }
        assertThat(granted(MongoRoles.inboxCommands("shop", MongoInboxOptions.defaults()), "consumer"))
                .isEqualTo(needed.all());
    }

    @Test
    void names_are_values_and_never_code() {
        String script = MongoRoles.script("shop", "o\"});db.dropDatabase();({\"")
                + MongoRoles.inboxScript(
                        "shop", MongoInboxOptions.defaults().collection("o\"});db.dropDatabase();({\""));
        assertThat(script.lines()).hasSize(5).allSatisfy(line -> {
            assertThat(line).startsWith("db.runCommand({").endsWith("});");
            String document = line.substring("db.runCommand(".length(), line.length() - 2);
            assertThat(BsonDocument.parse(document).getString("createRole").getValue())
                    .contains("dropDatabase");
        });
    }
}
