package dev.waybill.postgres.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.ReplayQuery;
import dev.waybill.admin.ReplaySize;
import dev.waybill.postgres.JournalFixture;
import dev.waybill.spi.Batch;
import dev.waybill.spi.RelaySession;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A sequence that was set forward leaves a range of seqs without rows, which costs nothing to pass, however wide it is. */
class SequenceJumpTest extends JournalFixture {
    private static final Actor ANNA = new Actor("anna", "a test");
    private static final RelayName AGAIN = new RelayName("again");
    private static final int FEW_CLAIMS = 8;

    @ParameterizedTest
    @ValueSource(longs = {6_000_000, 1_000_000_000_000L, Long.MAX_VALUE - 10})
    void a_relay_passes_the_range_in_few_claims(long jumpTo) throws SQLException {
        RelaySession session = open();
        appendOnBothSides(jumpTo);

        assertThat(drainSoon(session)).containsExactly("a1", "a2", "b1", "a3");
        append("a4");
        assertThat(drainSoon(session)).containsExactly("a4");
    }

    @ParameterizedTest
    @ValueSource(longs = {6_000_000, 1_000_000_000_000L, Long.MAX_VALUE - 10})
    void a_replay_passes_the_range_in_few_claims_and_is_counted_exactly(long jumpTo) throws SQLException {
        appendOnBothSides(jumpTo);
        assertThat(journal().replays().preview(ReplayQuery.EVERYTHING)).isEqualTo(new ReplaySize(4, true));
        journal().replays().start(AGAIN, ReplayQuery.EVERYTHING, ANNA);
        RelaySession replay =
                tracked(journal().replays().store().open(AGAIN, OWNER, LEASE)).orElseThrow();

        assertThat(drainSoon(replay)).containsExactly("a1", "a2", "b1", "a3");
    }

    @Test
    void a_replay_of_one_key_passes_events_of_others() throws SQLException {
        appendOnBothSides(1_000_000_000_000L);
        journal().replays().start(AGAIN, ReplayQuery.EVERYTHING.aggregateId("b"), ANNA);
        RelaySession replay =
                tracked(journal().replays().store().open(AGAIN, OWNER, LEASE)).orElseThrow();

        assertThat(drainSoon(replay)).containsExactly("b1");
    }

    private void appendOnBothSides(long jumpTo) throws SQLException {
        append("a1");
        database.execute("select setval('waybill.event_seq_seq', " + (jumpTo - 2) + ")");
        append("a2", "b1");
        append("a3");
    }

    private static List<String> drainSoon(RelaySession session) {
        List<String> published = new ArrayList<>();
        for (int claims = 0; claims < FEW_CLAIMS; claims++) {
            Optional<Batch> batch = session.claim(PLENTY);
            batch.ifPresent(found -> {
                published.addAll(names(found));
                publish(session, found);
            });
        }
        return published;
    }
}
