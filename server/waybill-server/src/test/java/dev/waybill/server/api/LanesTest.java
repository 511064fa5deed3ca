package dev.waybill.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waybill.server.access.RefusedException;
import dev.waybill.server.access.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LanesTest {
    private static final Route LISTS = Route.get("/api/lists", Role.VIEWER, "Lists.")
            .large()
            .does("", call -> {
                throw new UnsupportedOperationException();
            });
    private static final Route PREVIEWS = Route.post("/api/previews", Role.OPERATOR, "Previews.")
            .large()
            .does("", call -> {
                throw new UnsupportedOperationException();
            });

    private final Lanes lanes = new Lanes();
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final List<Thread> threads = new ArrayList<>();

    /** Requests that have begun and do not end. */
    private void hold(int count, Runnable request) throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            Thread thread = new Thread(() -> {
                held = begun;
                request.run();
            });
            thread.start();
            threads.add(thread);
        }
        begun.await();
    }

    private volatile CountDownLatch held = new CountDownLatch(0);

    private String hold() {
        held.countDown();
        try {
            mayEnd.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return "";
    }

    @AfterEach
    void end() throws InterruptedException {
        mayEnd.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
    }

    @Test
    void those_who_list_failures_keep_no_operator_from_a_preview() throws Exception {
        hold(2, () -> lanes.run(LISTS, "orders", () -> lanes.large(Role.VIEWER, this::hold)));
        hold(1, () -> lanes.run(LISTS, "invoices", () -> lanes.large(Role.VIEWER, this::hold)));
        assertThat(lanes.run(PREVIEWS, "orders", () -> lanes.large(Role.OPERATOR, () -> "done")))
                .isEqualTo("done");
    }

    @Test
    void what_is_refused_for_lack_of_memory_blames_no_store() throws Exception {
        hold(3, () -> lanes.large(Role.VIEWER, this::hold));
        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> lanes.run(LISTS, "orders", () -> lanes.large(Role.VIEWER, () -> "done")))
                .withMessageContaining("memory")
                .withMessageNotContaining("database");
    }

    @Test
    void requests_that_wait_for_their_store_leave_the_memory_to_others() throws Exception {
        for (String store : List.of("one", "two", "three")) {
            hold(2, () -> lanes.run(LISTS, store, this::hold));
        }
        assertThat(lanes.run(LISTS, "orders", () -> lanes.large(Role.VIEWER, () -> "done")))
                .isEqualTo("done");
    }
}
