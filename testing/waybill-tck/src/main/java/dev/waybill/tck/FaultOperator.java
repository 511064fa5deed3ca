package dev.waybill.tck;

import dev.waybill.admin.Actor;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.ReplayQuery;
import dev.waybill.admin.ReplayStatus;
import dev.waybill.admin.Selection;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.StoreRefusedException;
import java.time.Duration;
import java.util.Optional;

/** The actions of an operator in a scenario; failed ones are retried. */
final class FaultOperator {
    private static final Actor ANNA = new Actor("anna", "the call failed");

    private final RunWithFault run;
    private final StoreHarness harness;
    private final EventBook book;
    private final DeliveryLog log;
    private boolean startFailed;

    FaultOperator(RunWithFault run, StoreHarness harness, EventBook book, DeliveryLog log) {
        this.run = run;
        this.harness = harness;
        this.book = book;
        this.log = log;
    }

    void requeue(String name) {
        run.insist("a requeue", () -> harness.admin().requeue(StoreFixture.RELAY, Selection.of(book.id(name)), ANNA));
    }

    /** Requeues all dead events, which must be these. */
    void requeueDead(String... names) {
        run.insist(
                "a requeue of all",
                () -> harness.admin().requeue(StoreFixture.RELAY, Selection.all(ParkedState.DEAD), ANNA));
        log.requeued(names);
    }

    void discard(String name) {
        run.insist("a discard", () -> harness.admin().discard(StoreFixture.RELAY, Selection.of(book.id(name)), ANNA));
        log.discarded(name);
    }

    void pause() {
        run.insist("a pause", () -> harness.admin().pause(StoreFixture.RELAY, ANNA));
    }

    void resume() {
        run.insist("a resume", () -> harness.admin().resume(StoreFixture.RELAY, ANNA));
    }

    void purge() {
        run.passShort();
        run.insist("a purge", () -> harness.admin().purge(Duration.ZERO, 100));
    }

    // ---- dropping

    /**
     * If a call hung, the lease may have ended and the relay may be dropped; without order there is no lease on the
     * relay.
     */
    void failToDrop(Runnable keepLease) {
        run.insist("a drop that is refused", () -> {
            keepLease.run();
            try {
                harness.admin().drop(StoreFixture.RELAY, ANNA);
                run.expect(run.struck() || !run.ordered(), "dropped although somebody runs it");
            } catch (StoreRefusedException e) {
                // Expected.
            }
        });
    }

    /** A failed close leaves a lease: the operator waits until it has expired. */
    void drop() {
        run.insist("a drop", () -> {
            if (run.struck()) {
                harness.expireLease(StoreFixture.RELAY);
            }
            harness.admin().drop(StoreFixture.RELAY, ANNA);
        });
        if (harness.severalRelays()) {
            run.expect(run.look(this::isRefused), "opened although it was dropped");
        }
    }

    private boolean isRefused() {
        try {
            Optional<RelaySession> opened =
                    harness.store().open(StoreFixture.RELAY, new OwnerId("three"), Duration.ofSeconds(30));
            opened.ifPresent(RelaySession::close);
            return false;
        } catch (StoreRefusedException e) {
            return true;
        }
    }

    void restore() {
        run.insist("a restore", () -> harness.admin().restore(StoreFixture.RELAY, ANNA));
    }

    // ---- replays

    void startReplay() {
        run.insist("a start of a replay", () -> {
            startFailed = true;
            if (run.replays().replay(RunWithFault.REPLAY).isEmpty()) {
                run.replays().start(RunWithFault.REPLAY, ReplayQuery.EVERYTHING, ANNA);
                startFailed = false;
            }
        });
    }

    /** Whether the existing replay was created by a failed start. */
    boolean startFailed() {
        return startFailed;
    }

    void cancelReplay() {
        run.insist("a cancel of a replay", () -> run.replays().cancel(RunWithFault.REPLAY, ANNA));
    }

    ReplayStatus replayed() {
        return run.look(() -> run.replays().replay(RunWithFault.REPLAY).orElseThrow());
    }
}
