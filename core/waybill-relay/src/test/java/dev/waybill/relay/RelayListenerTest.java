package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RelayName;
import dev.waybill.RetryPolicy;
import dev.waybill.relay.FaultyStore.Call;
import dev.waybill.relay.RelayOptions.OnDead;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.StoredEvent;
import dev.waybill.testkit.Await;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class RelayListenerTest {
    private static final RelayOptions OPTIONS =
            RelayOptions.defaults().retry(RetryPolicy.defaults().retries(1).first(Duration.ofMillis(1)));

    private final RelayScene scene = new RelayScene();
    private final List<String> heard = new CopyOnWriteArrayList<>();

    /** Records every call. */
    private class Recording implements RelayListener {
        @Override
        public void claimed(RelayName relay, List<StoredEvent> events) {
            note("claimed", relay, events);
        }

        @Override
        public void published(RelayName relay, List<StoredEvent> events) {
            note("published", relay, events);
        }

        @Override
        public void retried(RelayName relay, StoredEvent event, String error, Instant at, boolean counted) {
            note("retried" + (counted ? "" : " uncounted"), relay, List.of(event));
        }

        @Override
        public void dead(RelayName relay, StoredEvent event, String error) {
            note("dead", relay, List.of(event));
        }

        @Override
        public void unavailable(RelayName relay, String error) {
            note("unavailable", relay, List.of());
        }

        @Override
        public void available(RelayName relay) {
            note("available", relay, List.of());
        }

        void note(String what, RelayName relay, List<StoredEvent> events) {
            assertThat(relay).isEqualTo(CycleScene.RELAY);
            List<String> ids =
                    events.stream().map(event -> event.id().toString()).toList();
            heard.add(ids.isEmpty() ? what : what + " " + String.join(" ", ids));
        }
    }

    @AfterEach
    void end() {
        scene.close();
    }

    @Test
    void it_is_told_the_outcome_of_each_event() {
        String keyOfB = CycleScene.event("b1", "{}").orderKey();
        scene.broker().failKey(keyOfB, 2, new Delivery.Retry("no room"));
        scene.append("a1", "b1");
        start(new Recording());
        Await.until("b1 is dead", () -> heard.contains("dead b1"));

        assertThat(heard).startsWith("claimed a1 b1").contains("retried b1", "published a1", "claimed b1");
        assertThat(heard.indexOf("retried b1")).isLessThan(heard.indexOf("dead b1"));
    }

    @Test
    void it_is_not_told_of_a_batch_without_events() {
        scene.broker().failKey("Thing:a", 1, new Delivery.Refused("never"));
        scene.append("a1");
        scene.start(RelayScene.plan(scene.store(), scene.broker())
                .options(OPTIONS.onDead(OnDead.HOLD))
                .listener(new Recording()));
        Await.until("a1 is dead", () -> heard.contains("dead a1"));
        int settled = scene.store().calls(Call.SETTLE);
        scene.append("a2");
        Await.until("the page of a2 is settled", () -> scene.store().calls(Call.SETTLE) > settled);
        scene.append("b1");
        Await.until("b1 is published", () -> heard.contains("published b1"));

        assertThat(heard).doesNotContain("claimed");
    }

    @Test
    void it_is_told_once_when_the_destination_becomes_unavailable_and_available() {
        scene.broker().goAway();
        Relay relay = start(new Recording());
        scene.append("a1");
        Await.until("it has tried twice", () -> relay.statistics().released() >= 2);
        scene.broker().comeBack();
        Await.until("a1 is published", () -> heard.contains("published a1"));

        assertThat(heard).containsOnlyOnce("unavailable", "available");
        assertThat(heard.indexOf("unavailable")).isLessThan(heard.indexOf("available"));
    }

    @Test
    void exceptions_of_a_listener_have_no_effect() {
        Relay relay = start(new Recording() {
            @Override
            void note(String what, RelayName relay, List<StoredEvent> events) {
                super.note(what, relay, events);
                if (what.equals("claimed")) {
                    throw new AssertionError("planted");
                }
                throw new IllegalStateException("planted");
            }
        });
        scene.append("a1", "a2");
        scene.untilDelivered("a1", "a2");
        scene.untilSettled();
        Await.until("both calls were made", () -> heard.size() >= 2);

        assertThat(scene.delivered()).containsExactly("a1", "a2");
        assertThat(relay.statistics().sessions()).isEqualTo(1);
        assertThat(relay.failingFor()).isEmpty();
    }

    /** Kotlin and Groovy need not declare checked exceptions. */
    @Test
    void a_checked_exception_does_no_harm_either() {
        Relay relay = start(new Recording() {
            @Override
            void note(String what, RelayName relay, List<StoredEvent> events) {
                Undeclared.raise(new IOException("planted"));
            }
        });
        scene.append("a1");
        scene.untilDelivered("a1");
        scene.append("a2");
        scene.untilDelivered("a2");

        assertThat(relay.isAlive()).isTrue();
        assertThat(relay.statistics().sessions()).isEqualTo(1);
    }

    @Test
    void it_hears_that_an_attempt_was_not_counted() {
        String keyOfA = CycleScene.event("a1", "{}").orderKey();
        scene.broker().failKey(keyOfA, 1, new Delivery.InDoubt("its partition is away"));
        scene.append("a1");
        start(new Recording());

        Await.until("a1 is retried", () -> heard.contains("retried uncounted a1"));
    }

    @Test
    void it_may_close_its_relay() {
        CompletableFuture<Relay> self = new CompletableFuture<>();
        AtomicBoolean closed = new AtomicBoolean();
        Relay relay = start(new Recording() {
            @Override
            public void published(RelayName name, List<StoredEvent> events) {
                self.join().close();
                closed.set(true);
            }
        });
        self.complete(relay);
        scene.append("a1");

        Await.until("it was closed", closed::get);
        relay.close();
        assertThat(relay.isAlive()).as("a second close waits").isFalse();
        assertThat(scene.status().lease()).isEmpty();
    }

    private Relay start(RelayListener listener) {
        return scene.start(
                RelayScene.plan(scene.store(), scene.broker()).options(OPTIONS).listener(listener));
    }
}
