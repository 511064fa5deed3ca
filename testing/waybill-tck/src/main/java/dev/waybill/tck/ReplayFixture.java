package dev.waybill.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RelayName;
import dev.waybill.admin.AuditEntry;
import dev.waybill.admin.ReplayQuery;
import dev.waybill.admin.ReplayStatus;
import dev.waybill.admin.ReplayStatus.State;
import dev.waybill.spi.OwnerId;
import java.util.Optional;
import java.util.stream.Stream;

/** A store with one replay, whose name all tests use. */
abstract class ReplayFixture extends StoreFixture {
    static final RelayName REPLAY = new RelayName("again");

    /** A store without events, relays and replays, for one test. */
    @Override
    protected abstract ReplayHarness newStore();

    @Override
    ReplayHarness harness() {
        return (ReplayHarness) super.harness();
    }

    final ReplayStatus start(ReplayQuery query) {
        return harness().replays().start(REPLAY, query, ANNA);
    }

    final ReplayStatus status(State expected) {
        ReplayStatus status = harness().replays().replay(REPLAY).orElseThrow();
        assertThat(status.state()).isEqualTo(expected);
        return status;
    }

    final Courier replay() {
        return replay(ONE).orElseThrow(() -> new AssertionError("The replay's lease is not free."));
    }

    final Optional<Courier> replay(OwnerId owner) {
        return open(harness().replays().store(), REPLAY, owner);
    }

    final Stream<AuditEntry> audit() {
        return admin().audit(10).stream().filter(entry -> entry.relay().equals(REPLAY.value()));
    }
}
