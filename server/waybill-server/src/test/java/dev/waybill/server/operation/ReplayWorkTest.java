package dev.waybill.server.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.ReplayAdmin;
import dev.waybill.admin.ReplayQuery;
import dev.waybill.admin.ReplaySize;
import dev.waybill.admin.ReplayStatus;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.server.cli.JournalScene;
import dev.waybill.spi.Settlement;
import dev.waybill.testkit.SharedPostgres;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReplayWorkTest {
    private static final RelayName NAME = new RelayName("again");
    private static final ReplayQuery ALL =
            new ReplayQuery(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    @Test
    void cancelling_a_replay_that_was_refused_leaves_the_one_that_has_its_name() throws Exception {
        JournalScene journal = JournalScene.create(SharedPostgres.server());
        journal.append("order.placed", 2);
        journal.relay("main", place -> Settlement.PUBLISHED);
        ReplayAdmin replays = PostgresJournal.on(SharedPostgres.server().dataSource(journal.database()))
                .replays();
        replays.start(NAME, ALL, new Actor("ada", ""));
        Work work = new ReplayWork(replays, NAME, ALL, ReplaySize.NONE, () -> {
            throw new AssertionError("it does not start");
        });
        Operation operation = new Operation(
                "1",
                new Prepared(Target.events("replay", "orders", "main", "all"), 2, "", false, work),
                new Actor("bob", ""),
                500,
                InstantSource.system(),
                () -> {});
        operation.cancel(new Actor("bob", "too early"));
        operation.run(work);
        assertThat(operation.view().state()).isEqualTo(Operation.State.FAILED);
        assertThat(replays.replays())
                .singleElement()
                .satisfies(replay -> assertThat(replay.state()).isEqualTo(ReplayStatus.State.OPEN));
    }
}
