package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RetryPolicy;
import dev.waybill.relay.LedgerBroker.Commit;
import dev.waybill.spi.Delivery;
import dev.waybill.tck.Seeds;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Every mix of outcomes within a transaction, with commits that fail and crashes. */
class TransactionMixTest {
    private static final int RUNS_PER_SEED = 250;
    private static final List<Delivery> OUTCOMES = List.of(
            Delivery.DELIVERED,
            Delivery.DELIVERED,
            new Delivery.Retry("not now"),
            new Delivery.Refused("never"),
            new Delivery.Unavailable("away"),
            Delivery.BEHIND,
            new Delivery.InDoubt("this partition is unavailable"));

    @Test
    void every_event_is_committed_once_in_order_or_dead() {
        Seeds.all(RUNS_PER_SEED).forEach(TransactionMixTest::run);
    }

    private static void run(long seed) {
        Random random = new Random(seed);
        TransactionScene scene = new TransactionScene()
                .pagesOf(1 + random.nextInt(3))
                .options(options -> options.retry(RetryPolicy.defaults().retries(2)));
        TreeSet<String> names = new TreeSet<>();
        for (int i = 10; i < 22; i++) {
            String name = (char) ('a' + random.nextInt(3)) + "" + i;
            names.add(name);
            scene.store.append(name);
            for (int attempt = random.nextInt(4); attempt > 0; attempt--) {
                scene.broker.answer(name, OUTCOMES.get(random.nextInt(OUTCOMES.size())));
            }
            if (random.nextInt(4) == 0) {
                scene.broker.commit(random.nextBoolean() ? Commit.FAILS : Commit.ANSWER_LOST);
            }
            if (random.nextInt(3) == 0) {
                scene.turn();
            }
            if (random.nextInt(8) == 0) {
                scene.crash();
            }
        }
        scene.drain();
        List<String> committed = scene.broker.committed();
        names.removeAll(scene.store.dead().keySet());
        assertThat(committed).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(names);
        assertThat(committed.stream().map(name -> Integer.valueOf(name.substring(1))))
                .as("seed %d", seed)
                .isSorted();
    }
}
