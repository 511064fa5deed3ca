package dev.waybill.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.admin.Actor;
import dev.waybill.admin.DeadLetterBox;
import dev.waybill.admin.DeadLetterCount;
import dev.waybill.admin.DeadLetterEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LettersTest {
    private static final Instant LONG_AGO = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant NEVER = Instant.parse("9999-01-01T00:00:00Z");

    private final Kept box = new Kept();

    /** Letters in the order in which they came. */
    private static final class Kept implements DeadLetterBox {
        private final List<DeadLetterEntry> open = new ArrayList<>();

        void add(int count, String origin, Instant failedAt) {
            IntStream.range(0, count)
                    .mapToObj(number -> new DeadLetterEntry(
                            "orders.dlt",
                            origin + "-" + number,
                            origin,
                            Optional.empty(),
                            "no",
                            Optional.of(failedAt),
                            "billing",
                            1,
                            DeadLetterEntry.Contents.MESSAGE))
                    .forEach(open::add);
        }

        @Override
        public List<DeadLetterEntry> list(String topic, int atMost) {
            return List.copyOf(open.subList(0, Math.min(atMost, open.size())));
        }

        @Override
        public Set<String> topics() {
            return Set.of();
        }

        @Override
        public List<DeadLetterCount> count(Collection<String> topics, int atMost) {
            return List.of();
        }

        @Override
        public Optional<DeadLetterEntry> find(String topic, String place) {
            return open.stream().filter(letter -> letter.place().equals(place)).findFirst();
        }

        @Override
        public boolean sendBack(DeadLetterEntry letter, Actor by) {
            return open.remove(letter);
        }

        @Override
        public boolean discard(DeadLetterEntry letter, Actor by) {
            return open.remove(letter);
        }
    }

    private List<DeadLetterEntry> all() {
        return Letters.chosen(List.of(), true, "orders.dlt", box);
    }

    @Test
    void the_preview_names_every_topic() {
        box.add(3_000, "orders", LONG_AGO);
        box.add(10, "payments.approved", LONG_AGO);

        assertThat(all()).hasSize(3_010);
        assertThat(Letters.origins(all())).isEqualTo("orders, payments.approved");
        assertThat(Letters.more(all())).isEmpty();
    }

    @Test
    void letters_are_listed_whatever_their_time() {
        box.add(3_000, "hostile", NEVER);
        box.add(100, "orders", LONG_AGO);

        assertThat(all()).filteredOn(letter -> letter.origin().equals("orders")).hasSize(100);
    }

    @Test
    void of_very_many_letters_the_oldest_are_processed_and_the_rest_is_mentioned() {
        box.add(Letters.MOST + 1, "orders", LONG_AGO);

        assertThat(all()).hasSize(Letters.MOST);
        assertThat(Letters.more(all())).contains("10,000", "run it again");
    }
}
