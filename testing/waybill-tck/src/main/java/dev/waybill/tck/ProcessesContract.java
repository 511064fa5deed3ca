package dev.waybill.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.admin.StoreWatch;
import dev.waybill.spi.ProcessRegister;
import dev.waybill.spi.ProcessRegister.Entry;
import dev.waybill.spi.ProcessRegister.Registration;
import dev.waybill.spi.ProcessRegister.RelayReport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Processes that share relays see each other and the holders of leases, if the store has a register of them. */
abstract class ProcessesContract extends LeaseContract {
    private static final Entry FIRST = new Entry(ONE, 7, 3, Set.of(RELAY, OTHER_RELAY));
    private static final Entry SECOND = new Entry(TWO, 1, 0, Set.of());

    private ProcessRegister register() {
        assumeTrue(harness().store().processes().isPresent(), "this store has no register of processes");
        return harness().store().processes().orElseThrow();
    }

    @Test
    void processes_see_each_other_with_or_without_a_lease_until_they_leave() {
        try (Registration one = register().register();
                Registration two = register().register()) {
            one.announce(FIRST, LEASE);
            two.announce(SECOND, LEASE);
            assertThat(one.read().processes()).containsExactly(FIRST, SECOND);
            assertThat(two.read()).isEqualTo(one.read());

            Entry changed = new Entry(TWO, 2, 1, Set.of(RELAY));
            two.announce(changed, LEASE);
            assertThat(register().processes()).containsExactly(FIRST, changed);
        }
        assertThat(register().processes()).isEmpty();
    }

    @Test
    void what_processes_report_of_their_relays_is_read_as_long_as_they_are_there() {
        RelayReport failing = new RelayReport(
                ONE, RELAY, "backing off", Optional.of(Duration.ofMinutes(7)), Optional.of("broker\0 away \ud83d"));
        RelayReport standingBy = new RelayReport(TWO, RELAY, "standing by", Optional.empty(), Optional.empty());
        try (Registration one = register().register();
                Registration two = register().register()) {
            one.announce(FIRST, LEASE);
            two.announce(SECOND, LEASE);
            assertThat(register().reports()).isEmpty();

            one.report(List.of(failing));
            two.report(List.of(standingBy));
            try (StoreWatch watch = harness().admin().watch()) {
                assertThat(watch.read().reports())
                        .extracting(RelayReport::phase)
                        .containsExactly("backing off", "standing by");
            }
            assertThat(register().reports()).hasSize(2).element(0).satisfies(report -> {
                assertThat(report.process()).isEqualTo(ONE);
                assertThat(report.relay()).isEqualTo(RELAY);
                assertThat(report.phase()).isEqualTo("backing off");
                assertThat(report.failingFor().orElseThrow()).isBetween(Duration.ofMinutes(7), Duration.ofMinutes(8));
                assertThat(report.problem().orElseThrow()).startsWith("broker");
            });
            assertThat(register().reports().get(1)).isEqualTo(standingBy);

            one.announce(FIRST, LEASE);
            one.report(List.of(new RelayReport(ONE, RELAY, "running", Optional.empty(), Optional.empty())));
            assertThat(register().reports()).extracting(RelayReport::phase).containsExactly("running", "standing by");

            one.announce(FIRST, Duration.ZERO);
            assertThat(register().reports()).containsExactly(standingBy);
        }
        assertThat(register().reports()).isEmpty();
    }

    @Test
    void an_announcement_that_is_not_renewed_expires() {
        try (Registration one = register().register()) {
            one.announce(FIRST, Duration.ZERO);
            assertThat(one.read().processes()).isEmpty();

            one.announce(FIRST, LEASE);
            assertThat(one.read().processes()).containsExactly(FIRST);
        }
    }

    @Test
    void only_valid_leases_have_a_holder() {
        try (Registration one = register().register()) {
            assertThat(one.read().holders()).isEmpty();

            Courier courier = relay();
            assertThat(one.read().holders()).isEqualTo(Map.of(RELAY, ONE));

            harness().expireLease(RELAY);
            assertThat(one.read().holders()).isEmpty();

            courier.close();
            relay().close();
            assertThat(one.read().holders()).isEmpty();
        }
    }
}
