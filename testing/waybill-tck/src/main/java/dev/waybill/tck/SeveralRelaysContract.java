package dev.waybill.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.admin.EventHistory;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.spi.StoreRefusedException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Relays with different names are independent, if a store supports several. */
abstract class SeveralRelaysContract extends DeadContract {

    @Test
    void each_relay_gets_every_event() {
        assumeSeveralRelays();
        append("a1", "a2");
        Courier one = relay();
        expect(one.drain(), "a1", "a2");
        append("a3");
        Courier other = relay(OTHER_RELAY);

        expect(other.drain(), "a1", "a2", "a3");
        expect(one.drain(), "a3");
        assertThat(other.drain()).isEmpty();
    }

    @Test
    void each_relay_has_its_own_lease() {
        assumeSeveralRelays();
        relay();

        assertThat(open(OTHER_RELAY, TWO)).isPresent();
        assertThat(open(RELAY, TWO)).isEmpty();
        assertThat(open(OTHER_RELAY, ONE)).isEmpty();
    }

    @Test
    void what_one_relay_parks_flows_in_another() {
        assumeSeveralRelays();
        append("a1", "a2");
        Courier one = relay();
        Courier other = relay(OTHER_RELAY);
        expect(one.drain(Map.of("a1", retryIn(SHORT))));
        expect(other.drain(), "a1", "a2");
        pass(SHORT);

        expect(one.drain(), "a1", "a2");
        assertThat(other.drain()).isEmpty();
    }

    @Test
    void the_dead_of_one_relay_are_not_those_of_another() {
        assumeSeveralRelays();
        append("a1", "a2");
        Courier one = relay();
        Courier other = relay(OTHER_RELAY);
        expect(one.drain(Map.of("a1", deadHolding())));
        expect(other.drain(Map.of("a1", deadPassing())), "a2");

        assertThat(status(RELAY).parked()).isEqualTo(1);
        assertThat(status(OTHER_RELAY).parked()).isZero();
        assertThat(admin().discard(OTHER_RELAY, ids("a1"), ANNA)).isEqualTo(1);
        assertThat(status(OTHER_RELAY).dead()).isZero();
        assertThat(status(RELAY).dead()).isEqualTo(1);
        assertThat(one.drain()).isEmpty();
        assertThat(parkedNames(ParkedQuery.of(OTHER_RELAY))).isEmpty();
    }

    @Test
    void pausing_one_relay_leaves_another_running() {
        assumeSeveralRelays();
        append("a1");
        Courier one = relay();
        Courier other = relay(OTHER_RELAY);
        admin().pause(RELAY, ANNA);

        assertThat(one.drain()).isEmpty();
        expect(other.drain(), "a1");
    }

    @Test
    void an_events_history_has_an_entry_for_each_relay() {
        assumeSeveralRelays();
        append("a1");
        relay(OTHER_RELAY).close();
        drain(Map.of("a1", deadPassing()));

        assertThat(entry(RELAY, "a1").state()).isEqualTo(EventHistory.State.DEAD);
        assertThat(entry(OTHER_RELAY, "a1").state()).isEqualTo(EventHistory.State.PENDING);
        assertThat(admin().show(id("a1")).orElseThrow().relays()).hasSize(2);
    }

    @Test
    void a_second_relay_is_refused_with_the_remedy_where_a_store_has_one_only() {
        assumeOneRelay();
        append("a1");
        relay().close();

        assertThatExceptionOfType(StoreRefusedException.class)
                .isThrownBy(() -> open(OTHER_RELAY, TWO))
                .withMessageContaining(RELAY.value())
                .withMessageContaining(OTHER_RELAY.value())
                .withMessageContaining("drop");
        admin().drop(RELAY, ANNA);
        expect(relay(OTHER_RELAY).drain(), "a1");
    }

    void assumeOneRelay() {
        assumeFalse(harness().severalRelays(), "this store has several relays");
    }

    void assumeSeveralRelays() {
        assumeTrue(harness().severalRelays(), "this store has one relay only");
    }
}
