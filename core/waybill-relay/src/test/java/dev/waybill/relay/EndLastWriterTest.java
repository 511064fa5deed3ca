package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spi.Batch;
import dev.waybill.spi.Destination;
import dev.waybill.spi.Limits;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.transaction.AfterWindows;
import dev.waybill.tck.memory.InMemoryDestination;
import dev.waybill.tck.memory.InMemoryOutbox;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A relay that delivered exactly once goes on at least once. */
class EndLastWriterTest {
    private final LedgerBroker broker = new LedgerBroker();
    private final Session session = new Session();

    /** Without events. */
    private static final class Session implements AfterWindows {
        private boolean ended;

        @Override
        public String origin() {
            return "a1b2";
        }

        @Override
        public void writerEnded() {
            ended = true;
        }

        @Override
        public long epoch() {
            return 2;
        }

        @Override
        public boolean renew() {
            return true;
        }

        @Override
        public Optional<Batch> claim(Limits max) {
            return Optional.empty();
        }

        @Override
        public void settle(Batch batch, List<Settlement> inClaimOrder) {}

        @Override
        public Optional<BesideClaims> besideClaims() {
            return Optional.empty();
        }

        @Override
        public void close() {}
    }

    @Test
    void its_last_writer_is_fenced_once() {
        EndLastWriter.of(plan(broker), session);
        assertThat(broker.writerIds()).containsExactly("waybill-a1b2-relay");
        assertThat(session.ended).isTrue();
    }

    @Test
    void a_destination_that_is_unavailable_is_asked_again_by_the_next_session() {
        broker.refuseWriters();
        EndLastWriter.of(plan(broker), session);
        assertThat(session.ended).isFalse();
    }

    @Test
    void a_destination_without_transactions_has_no_writer_to_end() {
        EndLastWriter.of(plan(new InMemoryDestination()), session);
        assertThat(session.ended).isTrue();
    }

    private static RelayPlan plan(Destination destination) {
        return RelayScene.plan(new InMemoryOutbox().store(), destination);
    }
}
