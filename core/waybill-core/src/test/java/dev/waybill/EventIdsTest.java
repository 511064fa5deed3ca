package dev.waybill;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class EventIdsTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00.123Z");

    @Test
    void an_id_is_a_uuid_of_version_7_that_begins_with_the_time() {
        UUID id = new EventIds(() -> NOON).create();

        assertThat(id.version()).isEqualTo(7);
        assertThat(id.variant()).isEqualTo(2);
        assertThat(millis(id)).isEqualTo(NOON.toEpochMilli());
        assertThat(UUID.fromString(EventIds.next()).version()).isEqualTo(7);
    }

    @Test
    void version_and_variant_are_right_whatever_the_counter_and_the_random_bits() {
        EventIds ids = new EventIds(() -> NOON);
        for (int i = 0; i < 10_000; i++) {
            UUID id = ids.create();
            assertThat(id.version()).isEqualTo(7);
            assertThat(id.variant()).isEqualTo(2);
        }
    }

    @Test
    void ids_grow_even_when_more_than_4096_are_made_in_a_millisecond() {
        EventIds ids = new EventIds(() -> NOON);
        List<String> made = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            made.add(ids.create().toString());
        }

        assertThat(made).isSorted().doesNotHaveDuplicates();
        assertThat(millis(UUID.fromString(made.get(9_999)))).isEqualTo(NOON.toEpochMilli() + 2);
    }

    @Test
    void ids_grow_even_when_the_clock_goes_backwards() {
        Instant[] now = {NOON};
        EventIds ids = new EventIds(() -> now[0]);
        String before = ids.create().toString();
        now[0] = NOON.minusSeconds(3_600);
        String during = ids.create().toString();
        now[0] = NOON.plusSeconds(1);
        String after = ids.create().toString();

        assertThat(List.of(before, during, after)).isSorted().doesNotHaveDuplicates();
        assertThat(millis(UUID.fromString(after))).isEqualTo(NOON.toEpochMilli() + 1_000);
    }

    @Test
    void the_random_part_differs_between_two_generators() {
        UUID one = new EventIds(() -> NOON).create();
        UUID other = new EventIds(() -> NOON).create();

        assertThat(one.getMostSignificantBits()).isEqualTo(other.getMostSignificantBits());
        assertThat(one.getLeastSignificantBits()).isNotEqualTo(other.getLeastSignificantBits());
    }

    @Test
    void many_threads_get_ids_whose_first_halves_are_all_different() throws Exception {
        int threads = 4;
        EventIds ids = new EventIds(() -> NOON);
        CyclicBarrier together = new CyclicBarrier(threads);
        Callable<List<Long>> make = () -> {
            together.await();
            List<Long> made = new ArrayList<>();
            for (int i = 0; i < 20_000; i++) {
                made.add(ids.create().getMostSignificantBits());
            }
            return made;
        };
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        Set<Long> all = new HashSet<>();
        try {
            List<Future<List<Long>>> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                running.add(pool.submit(make));
            }
            for (Future<List<Long>> made : running) {
                assertThat(made.get()).isSorted();
                all.addAll(made.get());
            }
        } finally {
            pool.shutdownNow();
        }

        assertThat(all).hasSize(threads * 20_000);
    }

    private static long millis(UUID id) {
        return id.getMostSignificantBits() >>> 16;
    }
}
