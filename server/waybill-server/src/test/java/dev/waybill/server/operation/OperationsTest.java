package dev.waybill.server.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waybill.admin.Actor;
import dev.waybill.testkit.Await;
import java.lang.ref.WeakReference;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class OperationsTest {
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch mayGoOn = new CountDownLatch(1);
    private final List<String> notes = new CopyOnWriteArrayList<>();

    /** One step, which is under way when the operation is cancelled. */
    private final Work step = new Work() {
        @Override
        public void run(Progress progress, Actor by) throws InterruptedException {
            begun.countDown();
            mayGoOn.await();
            progress.add(7, 1, 0);
        }

        @Override
        public void cancelled(String progress, Actor by) {
            notes.add(by.who() + ": " + progress);
        }
    };

    @Test
    void the_audit_of_a_cancelled_operation_has_the_counts_with_which_it_ended() throws Exception {
        try (Operations operations = new Operations(InstantSource.system())) {
            Prepared prepared = new Prepared(Target.events("requeue", "orders", "main", "all"), 20, "", false, step);
            String token = operations.offer("ada", prepared).token();
            String id = operations
                    .start(token, new Actor("ada", ""), 10)
                    .orElseThrow()
                    .id();
            begun.await();
            operations.cancel(id, new Actor("bob", "too early"));
            operations.cancel(id, new Actor("eve", "me too"));
            mayGoOn.countDown();
            Await.until(
                    "the end", () -> operations.find(id).orElseThrow().endedAt().isPresent());
            assertThat(operations.find(id).orElseThrow().state()).isEqualTo(Operation.State.CANCELLED);
            assertThat(notes)
                    .singleElement()
                    .asString()
                    .startsWith("bob: ")
                    .endsWith("requeue: 7 of 20 done, 1 skipped, 0 failed");
        }
    }

    private static final Actor ADA = new Actor("ada", "");

    private static String start(Operations operations, String store, Work work) {
        Prepared prepared = new Prepared(Target.events("requeue", store, "main", "all"), 20, "", false, work);
        return operations
                .start(operations.offer("ada", prepared).token(), ADA, 10)
                .orElseThrow()
                .id();
    }

    private static Operation.View ended(Operations operations, String id) throws Exception {
        Await.until("the end", () -> operations.find(id).orElseThrow().endedAt().isPresent());
        return operations.find(id).orElseThrow();
    }

    @Test
    void an_operation_that_ends_with_an_error_of_the_machine_has_failed() throws Exception {
        try (Operations operations = new Operations(InstantSource.system())) {
            Operation.View ended = ended(operations, start(operations, "orders", (progress, by) -> {
                throw new StackOverflowError("too deep");
            }));
            assertThat(ended.state()).isEqualTo(Operation.State.FAILED);
            assertThat(ended.error().orElseThrow()).contains("StackOverflowError", "too deep");
        }
    }

    @Test
    void operations_on_a_store_that_hangs_keep_none_from_another_store() throws Exception {
        try (Operations operations = new Operations(InstantSource.system())) {
            for (int i = 0; i < 4; i++) {
                start(operations, "hung", step);
            }
            assertThatExceptionOfType(TooManyOperationsException.class)
                    .isThrownBy(() -> start(operations, "hung", step))
                    .withMessageContaining("store hung");
            assertThat(ended(operations, start(operations, "orders", (progress, by) -> progress.add(20, 0, 0)))
                            .state())
                    .isEqualTo(Operation.State.DONE);
            mayGoOn.countDown();
        }
    }

    @Test
    void none_starts_while_the_process_stops() {
        Operations operations = new Operations(InstantSource.system());
        Prepared prepared = new Prepared(Target.events("discard", "orders", "main", "all"), 20, "", false, step);
        String token = operations.offer("ada", prepared).token();
        operations.close();
        assertThatExceptionOfType(TooManyOperationsException.class)
                .isThrownBy(() -> operations.start(token, ADA, 10))
                .withMessageContaining("is stopping");
    }

    @Test
    void the_oldest_previews_give_way_when_all_have_too_many_events() {
        try (Operations operations = new Operations(InstantSource.system())) {
            List<String> tokens = new ArrayList<>();
            for (int i = 0; i < 11; i++) {
                tokens.add(offer(operations, "person " + i, 10_000, 10_000));
            }
            assertThat(operations.find(tokens.get(0), "person 0")).isEmpty();
            assertThat(operations.find(tokens.get(1), "person 1")).isPresent();
            assertThat(operations.find(tokens.get(10), "person 10")).isPresent();
        }
    }

    @Test
    void the_preview_of_a_large_replay_leaves_the_previews_of_others_valid() {
        try (Operations operations = new Operations(InstantSource.system())) {
            String discard = offer(operations, "ada", 10, 10);
            String replay = offer(operations, "bob", 10_000_000, 0);
            assertThat(operations.find(discard, "ada")).isPresent();
            offer(operations, "eve", 10_000, 10_000);
            assertThat(operations.find(replay, "bob")).isPresent();
        }
    }

    @Test
    void previews_of_the_same_person_give_way_before_those_of_others() {
        try (Operations operations = new Operations(InstantSource.system())) {
            String oldest = offer(operations, "ada", 40_000, 40_000);
            String mine = offer(operations, "bob", 40_000, 40_000);
            String newest = offer(operations, "bob", 40_000, 40_000);
            assertThat(operations.find(oldest, "ada")).isPresent();
            assertThat(operations.find(mine, "bob")).isEmpty();
            assertThat(operations.find(newest, "bob")).isPresent();
        }
    }

    private static String offer(Operations operations, String who, int total, int held) {
        Work work = new Work() {
            @Override
            public void run(Progress progress, Actor by) {}

            @Override
            public int held() {
                return held;
            }
        };
        return operations
                .offer(who, new Prepared(Target.events("requeue", "a", "b", "all"), total, "", false, work))
                .token();
    }

    @Test
    void the_end_of_an_operation_whose_total_is_unknown_is_not_foretold() throws Exception {
        Work replay = new Work() {
            @Override
            public void run(Progress progress, Actor by) throws InterruptedException {
                progress.add(8, 0, 0);
                begun.countDown();
                mayGoOn.await();
            }

            @Override
            public boolean hasExactTotal() {
                return false;
            }

            @Override
            public void cancelled(String progress, Actor by) {
                notes.add(progress);
            }
        };
        try (Operations operations = new Operations(InstantSource.system())) {
            String id = start(operations, "orders", replay);
            begun.await();
            Operation.View view = operations.find(id).orElseThrow();
            assertThat(view.totalExact()).isFalse();
            assertThat(view.left()).isEmpty();
            operations.cancel(id, ADA);
            mayGoOn.countDown();
            ended(operations, id);
            assertThat(notes).singleElement().asString().endsWith("requeue: 8 done, 0 skipped, 0 failed");
        }
    }

    @Test
    void an_ended_operation_keeps_nothing_of_its_work() throws Exception {
        try (Operations operations = new Operations(InstantSource.system())) {
            String id = endedWork(operations);
            Await.until("its work is gone", () -> {
                System.gc();
                return work.refersTo(null);
            });
            assertThat(operations.find(id)).isPresent();
        }
    }

    private WeakReference<Work> work = new WeakReference<>(null);

    private String endedWork(Operations operations) throws Exception {
        List<String> events = List.of("its events");
        Work mine = (progress, by) -> progress.add(events.size(), 0, 0);
        work = new WeakReference<>(mine);
        String id = start(operations, "orders", mine);
        ended(operations, id);
        return id;
    }

    @Test
    void a_cancel_that_no_audit_could_record_is_told() throws Exception {
        Work unrecorded = new Work() {
            @Override
            public void run(Progress progress, Actor by) throws InterruptedException {
                step.run(progress, by);
            }

            @Override
            public void cancelled(String progress, Actor by) {
                throw new IllegalStateException("the store is away");
            }
        };
        try (Operations operations = new Operations(InstantSource.system())) {
            String id = start(operations, "orders", unrecorded);
            begun.await();
            operations.cancel(id, new Actor("bob", "too early"));
            mayGoOn.countDown();
            Operation.View ended = ended(operations, id);
            assertThat(ended.state()).isEqualTo(Operation.State.CANCELLED);
            assertThat(ended.error().orElseThrow()).contains("bob", "audit", "the store is away");
        }
    }

    @Test
    void the_audit_of_a_cancelled_operation_that_failed_has_the_cancel_too() throws Exception {
        Work failing = new Work() {
            @Override
            public void run(Progress progress, Actor by) throws InterruptedException {
                step.run(progress, by);
                progress.unknown(2);
                throw new IllegalStateException("the answer was lost");
            }

            @Override
            public void cancelled(String progress, Actor by) {
                step.cancelled(progress, by);
            }
        };
        try (Operations operations = new Operations(InstantSource.system())) {
            String id = start(operations, "orders", failing);
            begun.await();
            operations.cancel(id, new Actor("bob", "too early"));
            mayGoOn.countDown();
            Operation.View ended = ended(operations, id);
            assertThat(ended.state()).isEqualTo(Operation.State.FAILED);
            assertThat(ended.unknown()).isEqualTo(2);
            assertThat(ended.error().orElseThrow()).contains("the answer was lost", "2 events");
            assertThat(notes).singleElement().asString().endsWith("7 of 20 done, 1 skipped, 0 failed, 2 unknown");
        }
    }
}
