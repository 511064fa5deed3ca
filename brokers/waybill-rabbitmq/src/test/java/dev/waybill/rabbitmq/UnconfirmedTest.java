package dev.waybill.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Seen;
import dev.waybill.spi.support.InFlightBatch;
import dev.waybill.spi.support.InFlightBatch.Place;
import dev.waybill.tck.Seeds;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class UnconfirmedTest {
    private final Unconfirmed unconfirmed = new Unconfirmed();

    @Test
    void one_is_taken_alone_or_with_all_before_it() {
        add(1, 5);
        assertThat(take(3, false)).containsExactly("3");
        assertThat(take(3, false)).isEmpty();
        assertThat(take(4, true)).containsExactly("1", "2", "4");
        assertThat(unconfirmed.isEmpty()).isFalse();
        assertThat(take(5, true)).containsExactly("5");
        assertThat(unconfirmed.isEmpty()).isTrue();
        assertThat(take(9, true)).isEmpty();
    }

    @Test
    void all_are_taken_oldest_first() {
        add(1, 3);
        take(2, false);
        assertThat(unconfirmed.takeAll().stream().map(Outgoing::id)).containsExactly("1", "3");
        assertThat(unconfirmed.isEmpty()).isTrue();
    }

    @Test
    void numbers_must_follow_each_other() {
        add(7, 7);
        assertThatThrownBy(() -> add(9, 9)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void it_behaves_like_a_sorted_map() {
        long seed = Seeds.one();
        System.out.println("UnconfirmedTest seed " + seed);
        Random random = new Random(seed);
        TreeMap<Long, String> expected = new TreeMap<>();
        long next = 1;
        for (int step = 0; step < 20_000; step++) {
            if (random.nextInt(10) < 6) {
                add(next, next);
                expected.put(next, String.valueOf(next));
                next++;
            } else {
                long number = Math.max(1, next - random.nextInt(1_000));
                boolean multiple = random.nextInt(50) == 0;
                var which = multiple ? expected.headMap(number, true) : expected.subMap(number, true, number, true);
                List<String> values = List.copyOf(which.values());
                which.clear();
                assertThat(take(number, multiple)).isEqualTo(values);
            }
            assertThat(unconfirmed.isEmpty()).isEqualTo(expected.isEmpty());
        }
    }

    private void add(long from, long to) {
        for (long number = from; number <= to; number++) {
            OutboundMessage message = Letters.letter("topic", "text");
            Place place = new Place(new InFlightBatch(List.of(message), new Seen(0, 0)), 0);
            BasicProperties named = new BasicProperties.Builder()
                    .messageId(String.valueOf(number))
                    .build();
            unconfirmed.add(number, new Outgoing(place, (answered, delivery) -> {}, "", named));
        }
    }

    private List<String> take(long number, boolean multiple) {
        return unconfirmed.take(number, multiple).stream().map(Outgoing::id).toList();
    }
}
