package dev.waybill.server.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.admin.Actor;
import dev.waybill.testkit.Await;
import java.time.InstantSource;
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
}
