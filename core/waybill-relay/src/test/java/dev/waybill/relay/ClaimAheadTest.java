package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.spi.Batch;
import dev.waybill.spi.LeaseLostException;
import dev.waybill.spi.Limits;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.tck.ManualClock;
import dev.waybill.tck.memory.InMemoryOutbox;
import dev.waybill.tck.memory.InMemoryTransaction;
import dev.waybill.testkit.Await;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/** Claims made while the last batch is being sent. The test runs them by hand. */
class ClaimAheadTest {
    private static final Limits TWO = new Limits(2, 1_000_000);

    private final InMemoryOutbox outbox = new InMemoryOutbox(new ManualClock());
    private final RelaySession session = outbox.store()
            .open(CycleScene.RELAY, new OwnerId("one"), Duration.ofMinutes(1))
            .orElseThrow();
    private final Deque<Runnable> toRead = new ArrayDeque<>();

    @Test
    void after_a_full_batch_the_next_is_claimed_ahead() {
        append("a1", "a2", "a3");
        ClaimAhead claims = new ClaimAhead(session, toRead::add, Runnable::run);
        assertThat(names(claims.claim(TWO).orElseThrow())).containsExactly("a1", "a2");
        toRead.remove().run();
        assertThat(claims.claimed()).isOne();
        assertThat(session.claim(TWO)).as("what the session still has").isEmpty();
        assertThat(names(claims.claim(TWO).orElseThrow())).containsExactly("a3");
        assertThat(claims.claimed()).isZero();
    }

    @Test
    void a_batch_full_of_bytes_counts_as_full() {
        append("a1", "a2");
        ClaimAhead claims = new ClaimAhead(session, toRead::add, Runnable::run);
        assertThat(names(claims.claim(new Limits(5, 3)).orElseThrow())).containsExactly("a1");
        assertThat(toRead).hasSize(1);
    }

    @Test
    void without_a_backlog_nothing_is_claimed_ahead() {
        append("a1");
        ClaimAhead claims = new ClaimAhead(session, toRead::add, Runnable::run);
        assertThat(claims.claim(TWO)).isPresent();
        assertThat(toRead).isEmpty();
    }

    @Test
    void events_appended_since_an_empty_claim_ahead_are_found_at_once() {
        append("a1", "a2");
        ClaimAhead claims = new ClaimAhead(session, Runnable::run, Runnable::run);
        assertThat(claims.claim(TWO)).isPresent();
        append("a3");
        assertThat(names(claims.claim(TWO).orElseThrow())).containsExactly("a3");
    }

    @Test
    void a_release_makes_the_batch_claimed_ahead_void() {
        append("a1", "a2", "a3");
        ClaimAhead claims = new ClaimAhead(session, Runnable::run, Runnable::run);
        Batch first = claims.claim(TWO).orElseThrow();
        claims.settle(first, List.of(Settlement.PUBLISHED, Settlement.RELEASED));
        assertThat(names(claims.claim(TWO).orElseThrow())).containsExactly("a2", "a3");
    }

    @Test
    void a_batch_claimed_ahead_is_released_at_the_end() {
        append("a1", "a2", "a3");
        ClaimAhead claims = new ClaimAhead(session, Runnable::run, Runnable::run);
        Batch first = claims.claim(TWO).orElseThrow();
        claims.settle(first, Collections.nCopies(2, Settlement.PUBLISHED));
        claims.releaseAhead();
        assertThat(names(session.claim(TWO).orElseThrow())).containsExactly("a3");
    }

    @Test
    void a_failed_claim_is_thrown_by_the_next_call_but_not_by_close() {
        append("a1", "a2");
        ClaimAhead claims = new ClaimAhead(
                session,
                work -> {
                    outbox.store().open(CycleScene.RELAY, new OwnerId("one"), Duration.ofMinutes(1));
                    work.run();
                },
                Runnable::run);
        Batch first = claims.claim(TWO).orElseThrow();
        assertThatThrownBy(() -> claims.settle(first, Collections.nCopies(2, Settlement.PUBLISHED)))
                .isInstanceOf(LeaseLostException.class);
        claims.close();
    }

    @Test
    void an_error_while_claiming_ahead_is_thrown_unchanged() {
        FaultyStore store = new FaultyStore(outbox.store());
        append("a1", "a2");
        ClaimAhead claims = new ClaimAhead(open(store), Runnable::run, Runnable::run);
        Deque<Integer> claimed = new ArrayDeque<>();
        store.before(FaultyStore.Call.CLAIM, () -> {
            claimed.add(1);
            if (claimed.size() == 2) {
                throw new StackOverflowError();
            }
        });
        claims.claim(TWO);

        assertThatThrownBy(() -> claims.claim(TWO)).isInstanceOf(StackOverflowError.class);
    }

    @Test
    void a_settlement_waits_for_the_claim_in_progress() throws Exception {
        FaultyStore store = new FaultyStore(outbox.store());
        append("a1", "a2", "a3");
        ClaimAhead claims = new ClaimAhead(open(store), work -> new Thread(work, "reader").start(), Runnable::run);
        CountDownLatch answer = new CountDownLatch(1);
        store.before(FaultyStore.Call.CLAIM, () -> {
            if (store.calls(FaultyStore.Call.CLAIM) == 2) {
                await(answer);
            }
        });
        Batch first = claims.claim(TWO).orElseThrow();
        Await.until("the next is being claimed", () -> store.calls(FaultyStore.Call.CLAIM) == 2);
        Thread settling =
                new Thread(() -> claims.settle(first, Collections.nCopies(2, Settlement.PUBLISHED)), "settling");
        settling.start();
        Await.until(
                "the settlement waits or is through",
                () -> settling.getState() == Thread.State.WAITING || !settling.isAlive());
        assertThat(store.calls(FaultyStore.Call.SETTLE))
                .as("settlements beside a claim")
                .isZero();

        answer.countDown();
        settling.join();
        assertThat(store.calls(FaultyStore.Call.SETTLE)).isOne();
    }

    @Test
    void published_batches_of_a_backlog_are_settled_behind_the_claims() {
        append("a1", "a2", "a3");
        Deque<Runnable> toSettle = new ArrayDeque<>();
        ClaimAhead claims = new ClaimAhead(session, Runnable::run, toSettle::add);
        assertThat(claims.settlesBehind()).as("without a backlog").isFalse();
        Batch first = claims.claim(TWO).orElseThrow();
        assertThat(claims.settlesBehind()).isTrue();
        CompletableFuture<Void> settling = claims.settleBehind(first);
        assertThat(names(claims.claim(TWO).orElseThrow()))
                .as("claimed meanwhile")
                .containsExactly("a3");
        assertThat(settling).isNotDone();

        toSettle.remove().run();

        assertThat(settling).isCompleted();
    }

    @Test
    void a_settlement_and_the_end_wait_for_those_behind_the_claims() throws Exception {
        append("a1", "a2", "a3", "a4");
        BlockingQueue<Runnable> toSettle = new LinkedBlockingQueue<>();
        ClaimAhead claims = new ClaimAhead(session, Runnable::run, toSettle::add);
        Batch first = claims.claim(TWO).orElseThrow();
        CompletableFuture<Void> settling = claims.settleBehind(first);
        Batch second = claims.claim(TWO).orElseThrow();
        Thread waiting = new Thread(
                () -> {
                    claims.settle(second, Collections.nCopies(2, Settlement.PUBLISHED));
                    claims.close();
                },
                "waiting");
        waiting.start();
        Await.until("the settlement waits", () -> waiting.getState() == Thread.State.WAITING);

        toSettle.remove().run();
        waiting.join();

        assertThat(settling).isCompleted();
        assertThat(session.claim(TWO)).as("what is left").isEmpty();
    }

    private static RelaySession open(FaultyStore store) {
        return store.open(CycleScene.RELAY, new OwnerId("one"), Duration.ofMinutes(1))
                .orElseThrow();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void append(String... names) {
        try (InMemoryTransaction transaction = outbox.begin()) {
            outbox.append(
                    transaction,
                    Arrays.stream(names)
                            .map(name -> CycleScene.event(name, "{}"))
                            .toList());
            transaction.commit();
        }
    }

    private static List<String> names(Batch batch) {
        return batch.events().stream().map(event -> event.id().toString()).toList();
    }
}
