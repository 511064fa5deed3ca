package dev.waybill.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Workers of another make publish events of the same store, where it allows that, and keys keep their order. */
abstract class OtherWorkersContract extends WritersContract {

    @Test
    void what_follows_an_event_that_another_worker_has_locked_waits() {
        StoreHarness.ForeignWorker worker = worker();
        append("a1", "a2", "b1");
        Courier relay = relay();
        assertThat(worker.lock(id("a1"))).isTrue();
        expect(relay.drain(), "b1");

        worker.publish(id("a1"));
        expect(drain(), "a2");
    }

    @Test
    void what_follows_an_event_that_another_worker_failed_to_publish_does_not_overtake_it() {
        StoreHarness.ForeignWorker worker = worker();
        append("a1", "a2");
        Courier relay = relay();
        assertThat(worker.lock(id("a1"))).isTrue();
        assertThat(relay.drain()).isEmpty();
        worker.fail(id("a1"));
        append("a3");
        List<String> came = new ArrayList<>(relay.drain());
        relay.close();
        came.addAll(drain());

        expect(came, "a1", "a2", "a3");
    }

    private StoreHarness.ForeignWorker worker() {
        Optional<StoreHarness.ForeignWorker> worker = harness().foreignWorker();
        assumeTrue(worker.isPresent(), "only relays publish events of this store");
        return worker.orElseThrow();
    }
}
