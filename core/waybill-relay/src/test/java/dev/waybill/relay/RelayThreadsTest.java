package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.relay.FaultyStore.Call;
import dev.waybill.relay.RelayOptions.BatchSize;
import dev.waybill.relay.RelayStatistics.Phase;
import dev.waybill.spi.Destination;
import dev.waybill.spi.StoreException;
import dev.waybill.tck.memory.InMemoryDestination;
import dev.waybill.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How many threads relays need, and what they share. */
@Timeout(120)
class RelayThreadsTest {
    private static final int RELAYS = 20;

    private final RelayScene scene = new RelayScene();
    private final List<Relay> relays = new ArrayList<>();
    private final CountDownLatch thawed = new CountDownLatch(1);

    @AfterEach
    void end() {
        thawed.countDown();
        relays.forEach(Relay::close);
        scene.close();
    }

    @Test
    void idle_relays_have_one_thread_each_and_share_two() {
        for (int i = 0; i < RELAYS; i++) {
            start(i, scene.store(), new InMemoryDestination(), RelayOptions.defaults());
        }
        relays.forEach(relay -> RelayScene.until(Phase.RUNNING, relay));
        Await.until("a thread each and two", () -> threads().size() == RELAYS + 2);

        relays.forEach(Relay::close);
        Await.until("none is left", () -> threads().isEmpty());
    }

    @Test
    void the_thread_that_claims_ahead_exists_only_during_a_backlog() {
        InMemoryDestination broker = new InMemoryDestination();
        broker.holdAcknowledgements();
        scene.append(IntStream.range(0, 20).mapToObj(i -> "a" + i).toArray(String[]::new));
        start(0, scene.store(), broker, RelayOptions.defaults().batch(new BatchSize(1, 1_000_000)));
        Await.until("it reads ahead", () -> threads().contains("waybill-relay-relay-0-reader"));
        broker.releaseAll();

        Await.until("it has ended", () -> !threads().contains("waybill-relay-relay-0-reader"));
        scene.append("a20");
        Await.until("the relay goes on", () -> broker.delivered().size() == 21);
    }

    @Test
    void a_store_that_hangs_delays_no_abort_of_a_relay_of_another_store() {
        FaultyStore hanging = new FaultyStore(scene.outbox().store());
        RelayOptions shortLease = RelayOptions.defaults().lease(RelayScene.SHORT_LEASE);
        InMemoryDestination broker = new InMemoryDestination();
        broker.holdAcknowledgements();
        scene.append("a1");
        start(0, hanging, new InMemoryDestination(), shortLease);
        start(1, scene.store(), broker, shortLease);
        Await.until("a1 is out", () -> broker.inFlight() == 1);
        hanging.before(Call.RENEW, this::hang);
        Await.until("the store hangs", () -> hanging.calls(Call.RENEW) > 0);
        scene.store().before(Call.RENEW, () -> {
            throw new StoreException("no route to the store");
        });

        Await.until("messages in flight are aborted", () -> broker.inFlight() == 0);
    }

    @Test
    void a_destination_that_hangs_when_it_is_aborted_delays_no_abort_of_another_relay() {
        RelayOptions shortLease = RelayOptions.defaults().lease(RelayScene.SHORT_LEASE);
        StubbornDestination stubborn = new StubbornDestination(scene.broker()).aborting(this::hang);
        InMemoryDestination broker = new InMemoryDestination();
        broker.holdAcknowledgements();
        scene.append("a1");
        start(0, scene.store(), stubborn, shortLease);
        start(1, scene.store(), broker, shortLease);
        Await.until("both are out", () -> broker.inFlight() == 1 && stubborn.publishes() == 1);
        scene.store().before(Call.RENEW, () -> {
            throw new StoreException("no route to the store");
        });

        Await.until("messages in flight are aborted", () -> broker.inFlight() == 0);
        stubborn.cure();
    }

    @Test
    void renewals_continue_after_an_error() {
        Relay relay = start(
                0,
                scene.store(),
                new InMemoryDestination(),
                RelayOptions.defaults().lease(RelayScene.LEASE));
        RelayScene.until(Phase.RUNNING, relay);
        scene.store().before(Call.RENEW, () -> {
            throw new StackOverflowError();
        });
        int failed = scene.store().calls(Call.RENEW);
        Await.until("a renewal fails", () -> scene.store().calls(Call.RENEW) > failed);
        scene.store().mend();
        int mended = scene.store().calls(Call.RENEW);
        Await.until("it is renewed again", () -> scene.store().calls(Call.RENEW) > mended + 1);

        assertThat(relay.statistics().sessions()).isEqualTo(1);
    }

    @Test
    void a_task_that_throws_does_not_end_a_shared_thread() {
        Object by = new Object();
        CountDownLatch done = new CountDownLatch(1);
        try (SharedThread shared = SharedThread.take(by, "waybill-shared")) {
            shared.in(Duration.ZERO, () -> {
                throw new StackOverflowError();
            });
            shared.in(Duration.ofMillis(1), done::countDown);
            Await.until("the next is done", () -> done.getCount() == 0);
        }
    }

    @Test
    void a_shared_thread_ends_with_its_last_user() {
        Object by = new Object();
        SharedThread first = SharedThread.take(by, "waybill-shared");
        SharedThread second = SharedThread.take(by, "waybill-shared");
        CountDownLatch done = new CountDownLatch(2);
        first.in(Duration.ZERO, done::countDown);
        first.close();
        second.in(Duration.ZERO, done::countDown);
        Await.until("both are done", () -> done.getCount() == 0);
        assertThat(threads()).containsOnlyOnce("waybill-shared");
        second.in(Duration.ofDays(1), done::countDown);
        second.close();

        Await.until("it has ended", () -> !threads().contains("waybill-shared"));
    }

    private Relay start(int number, FaultyStore store, Destination destination, RelayOptions options) {
        Relay relay = Relay.named("relay-" + number)
                .from(store)
                .to(destination)
                .options(options)
                .start();
        relays.add(relay);
        return relay;
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("waybill-"))
                .toList();
    }

    private void hang() {
        try {
            thawed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
