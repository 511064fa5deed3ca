package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RelayName;
import dev.waybill.relay.RelayOptions.InFlight;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.StoredEvent;
import dev.waybill.testkit.Await;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Listeners are told when events are handed to the destination and how that ends. */
@Timeout(120)
class SendingListenerTest {
    private final RelayScene scene = new RelayScene();
    private final List<String> heard = new CopyOnWriteArrayList<>();

    /** Records every call under a name. */
    private final class Recording implements RelayListener {
        private final String name;

        Recording(String name) {
            this.name = name;
        }

        @Override
        public Sending sending(
                RelayName relay, List<StoredEvent> events, List<OutboundMessage> messages, Duration sinceClaim) {
            assertThat(sinceClaim).isGreaterThanOrEqualTo(Duration.ZERO);
            List<String> ids =
                    events.stream().map(event -> event.id().toString()).toList();
            heard.add(name + " sending " + ids);
            assertThat(messages.stream().map(message -> message.event().id().toString()))
                    .containsExactlyElementsOf(ids);
            return new Sending() {
                @Override
                public void handedOver() {
                    heard.add(name + " handed over " + ids);
                }

                @Override
                public void ended(List<Delivery> deliveries) {
                    heard.add(name + " ended " + ids + " " + deliveries);
                }
            };
        }
    }

    @AfterEach
    void end() {
        scene.close();
    }

    @Test
    void each_of_several_is_told_and_the_last_one_is_the_first_to_restore_what_it_made_current() {
        scene.append("a1", "b1");
        start(new Recording("one"), new Recording("two"));
        Await.until("both ended", () -> heard.size() >= 6);

        assertThat(heard)
                .containsExactly(
                        "one sending [a1, b1]",
                        "two sending [a1, b1]",
                        "two handed over [a1, b1]",
                        "one handed over [a1, b1]",
                        "one ended [a1, b1] [Delivered[], Delivered[]]",
                        "two ended [a1, b1] [Delivered[], Delivered[]]");
    }

    @Test
    void an_event_that_is_sent_again_is_reported_again_with_each_answer() {
        scene.broker().failKey(CycleScene.event("a1", "{}").orderKey(), 1, new Delivery.InDoubt("away"));
        scene.append("a1");
        start(new Recording("it"));
        Await.until("a1 was delivered", () -> heard.contains("it ended [a1] [Delivered[]]"));

        assertThat(heard.stream().filter(line -> line.startsWith("it sending"))).hasSize(2);
        assertThat(heard).anyMatch(line -> line.startsWith("it ended [a1] [InDoubt"));
    }

    @Test
    void when_the_session_ends_before_the_answer_the_listener_is_told_so_once() {
        StubbornDestination silent = new StubbornDestination(scene.broker());
        scene.append("a1");
        Relay relay = scene.start(RelayScene.plan(scene.store(), silent)
                .options(RelayOptions.defaults()
                        .grace(Duration.ZERO)
                        .inFlight(new InFlight(5, 1_000_000, Duration.ofMillis(100))))
                .listener(new Recording("it")));
        Await.until("a1 was sent", () -> heard.contains("it handed over [a1]"));
        relay.close();

        List<String> sent =
                heard.stream().filter(line -> line.startsWith("it sending")).toList();
        assertThat(heard.stream().filter(line -> line.startsWith("it ended")))
                .hasSameSizeAs(sent)
                .containsOnly("it ended [a1] []");
    }

    @Test
    void a_listener_that_throws_hides_nothing_from_the_others() {
        RelayListener broken = new RelayListener() {
            @Override
            public Sending sending(
                    RelayName relay, List<StoredEvent> events, List<OutboundMessage> messages, Duration sinceClaim) {
                throw new IllegalStateException("planted");
            }
        };
        scene.append("a1");
        start(broken, new Recording("it"));
        Await.until("it ended", () -> heard.contains("it ended [a1] [Delivered[]]"));

        assertThat(scene.delivered()).containsExactly("a1");
    }

    private void start(RelayListener... listeners) {
        RelayPlan plan = RelayScene.plan(scene.store(), scene.broker());
        for (RelayListener listener : listeners) {
            plan = plan.listener(listener);
        }
        scene.start(plan);
    }
}
