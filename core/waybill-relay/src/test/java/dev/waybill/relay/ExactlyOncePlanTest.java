package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.spi.Destination;
import dev.waybill.spi.EventStore;
import dev.waybill.tck.memory.InMemoryDestination;
import dev.waybill.tck.memory.InMemoryOutbox;
import dev.waybill.testkit.Await;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Plans that deliver exactly once: which are refused, and how one starts and stops. */
class ExactlyOncePlanTest {
    private final WindowsInMemory store = new WindowsInMemory();
    private final LedgerBroker broker = new LedgerBroker();

    private static RelayPlan plan(EventStore store, Destination destination) {
        return Relay.named("orders").from(store).to(destination);
    }

    @Test
    void a_store_without_windows_is_refused() {
        RelayPlan plan = plan(new InMemoryOutbox().store(), broker);
        assertThatThrownBy(() -> plan.exactlyOnce())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Relay orders cannot deliver exactly once: its store (MemoryStore)")
                .hasMessageContaining("use a journal on PostgreSQL");
    }

    @Test
    void a_destination_without_transactions_is_refused_also_if_it_is_given_later() {
        assertThatThrownBy(() -> plan(store, new InMemoryDestination()).exactlyOnce())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("its destination (InMemoryDestination) has no transactions: use Kafka");
        RelayPlan later = plan(store, broker).exactlyOnce().destination(new InMemoryDestination());
        assertThatThrownBy(later::start).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void outages_that_count_are_refused() {
        RelayPlan plan = plan(store, broker)
                .exactlyOnce()
                .options(RelayOptions.defaults().countOutages(true));
        assertThatThrownBy(plan::start)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("do not set countOutages");
    }

    @Test
    void a_transaction_has_an_event_and_lingers_for_ten_seconds_at_most() {
        assertThatThrownBy(() -> TransactionSize.defaults().maxEvents(0)).hasMessageContaining("use at least 1");
        assertThatThrownBy(() -> TransactionSize.defaults().linger(Duration.ofSeconds(11)))
                .hasMessageContaining("use 0 to 10000 ms");
    }

    @Test
    void a_stop_ends_within_its_grace_time_although_the_destination_does_not_answer() {
        broker.hold();
        store.append("a1");
        Relay relay = plan(store, broker)
                .exactlyOnce()
                .options(RelayOptions.defaults().grace(Duration.ofMillis(200)))
                .start();
        Await.until("a message without an answer", broker::hasHeld);
        relay.close();
        assertThat(relay.isAlive()).isFalse();
        assertThat(broker.committed()).isEmpty();
    }
}
