package dev.waybill.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoreException;
import dev.waybill.spi.StoredEvent;
import dev.waybill.tck.faults.Failure;
import dev.waybill.tck.faults.FaultInjection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The contract on failing calls finds bugs planted in a store, and reports none in a correct one. */
@Timeout(120)
class FaultContractFindsBugsTest {

    @Test
    void nothing_is_found_in_a_store_without_a_bug() {
        for (Failure how : new Failure[] {Failure.BEFORE, Failure.REPLY_LOST, Failure.ERROR}) {
            assertThat(violations(PlantedHarness.Session::new, false, FaultScenario.PARK, how))
                    .isEmpty();
        }
    }

    @Test
    void a_session_that_saves_its_position_although_parking_failed_is_found() {
        assertThat(violations(SavesAfterFailure::new, false, FaultScenario.PARK, Failure.BEFORE))
                .anyMatch(violation -> violation.startsWith("lost: [a1"));
    }

    private static final class SavesAfterFailure extends PlantedHarness.Session {
        private Optional<Batch> failed = Optional.empty();

        SavesAfterFailure(RelaySession real) {
            super(real);
        }

        @Override
        public void settle(Batch batch, List<Settlement> inClaimOrder) {
            try {
                super.settle(batch, inClaimOrder);
            } catch (StoreException e) {
                failed = Optional.of(batch);
                throw e;
            }
        }

        @Override
        public void close() {
            failed.ifPresent(this::skip);
            super.close();
        }
    }

    @Test
    void a_session_that_commits_half_of_a_transaction_on_an_error_is_found() {
        assertThat(violations(CommitsOnError::new, false, FaultScenario.PARK, Failure.ERROR))
                .anyMatch(violation -> violation.startsWith("lost: [a1"));
    }

    private static final class CommitsOnError extends PlantedHarness.Session {
        CommitsOnError(RelaySession real) {
            super(real);
        }

        @Override
        public void settle(Batch batch, List<Settlement> inClaimOrder) {
            try {
                super.settle(batch, inClaimOrder);
            } catch (Error e) {
                skip(batch);
                throw e;
            }
        }
    }

    @Test
    void a_session_that_counts_what_is_in_doubt_is_found() {
        assertThat(violations(CountsEverything::new, false, FaultScenario.PARK, Failure.BEFORE))
                .anyMatch(violation -> violation.startsWith("counts: c1"));
    }

    private static final class CountsEverything extends PlantedHarness.Session {
        CountsEverything(RelaySession real) {
            super(real);
        }

        @Override
        public void settle(Batch batch, List<Settlement> inClaimOrder) {
            super.settle(
                    batch,
                    inClaimOrder.stream()
                            .map(one -> one instanceof Settlement.RetryAt retry
                                    ? new Settlement.RetryAt(retry.at(), retry.error(), true)
                                    : one)
                            .toList());
        }
    }

    @Test
    void a_session_that_gives_events_in_another_order_is_found() {
        assertThat(violations(GivesBackwards::new, false, FaultScenario.TAKE_OVER, Failure.BEFORE))
                .anyMatch(violation -> violation.startsWith("out of order: "));
    }

    private static final class GivesBackwards extends PlantedHarness.Session {
        private record Backwards(Batch real) implements Batch {
            @Override
            public List<StoredEvent> events() {
                return backwards(real.events());
            }
        }

        GivesBackwards(RelaySession real) {
            super(real);
        }

        @Override
        public Optional<Batch> claim(Limits max) {
            return super.claim(max).map(Backwards::new);
        }

        @Override
        public void settle(Batch batch, List<Settlement> inClaimOrder) {
            super.settle(((Backwards) batch).real(), backwards(inClaimOrder));
        }

        private static <T> List<T> backwards(List<T> list) {
            List<T> turned = new ArrayList<>(list);
            Collections.reverse(turned);
            return turned;
        }
    }

    @Test
    void a_session_that_forgets_late_transactions_when_it_goes_back_is_found() {
        assertThat(violations(PlantedHarness.Session::new, false, FaultScenario.TAKE_OVER, Failure.BEFORE))
                .isEmpty();
        assertThat(violations(ForgetsLate::new, false, FaultScenario.TAKE_OVER, Failure.BEFORE))
                .anyMatch(violation -> violation.startsWith("lost: [a2, a3]"));
    }

    /** An event is late if it was appended before one that was already claimed. */
    private static final class ForgetsLate extends PlantedHarness.Session {
        private Instant newest = Instant.MIN;
        private boolean wentBack;

        private record Forgetful(Batch real, List<StoredEvent> events) implements Batch {}

        ForgetsLate(RelaySession real) {
            super(real);
        }

        @Override
        public Optional<Batch> claim(Limits max) {
            return super.claim(max).map(this::forget);
        }

        private Forgetful forget(Batch batch) {
            List<StoredEvent> kept =
                    batch.events().stream().filter(event -> !isForgotten(event)).toList();
            for (StoredEvent event : kept) {
                newest = event.createdAt().isAfter(newest) ? event.createdAt() : newest;
            }
            return new Forgetful(batch, kept);
        }

        private boolean isForgotten(StoredEvent event) {
            return wentBack && event.createdAt().isBefore(newest);
        }

        @Override
        public void settle(Batch batch, List<Settlement> inClaimOrder) {
            Batch behind = ((Forgetful) batch).real();
            Iterator<Settlement> given = inClaimOrder.iterator();
            List<Settlement> all = behind.events().stream()
                    .map(event -> batch.events().contains(event) ? given.next() : Settlement.PUBLISHED)
                    .toList();
            super.settle(behind, all);
            wentBack |= inClaimOrder.contains(Settlement.RELEASED);
        }
    }

    @Test
    void a_transaction_that_commits_instead_of_rolling_back_is_found() {
        assertThat(violations(PlantedHarness.Session::new, true, FaultScenario.DRAIN, Failure.BEFORE))
                .anyMatch(violation -> violation.startsWith("rolled back and delivered: [x1]"));
    }

    private static List<String> violations(
            UnaryOperator<RelaySession> bug, boolean rollbackCommits, FaultScenario scenario, Failure how) {
        List<String> found = new ArrayList<>();
        boolean struck = true;
        for (int call = 1; struck; call++) {
            PlantedHarness store = new PlantedHarness(bug, rollbackCommits);
            FaultInjection injection = store.faults().orElseThrow();
            found.addAll(new RunWithFault(store, injection).play(scenario, call, how));
            struck = injection.faults().struck();
        }
        return found;
    }
}
