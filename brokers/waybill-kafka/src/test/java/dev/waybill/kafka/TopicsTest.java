package dev.waybill.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spi.Delivery.Refused;
import dev.waybill.spi.Delivery.Retry;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TopicsTest {
    private static final long MILLI = 1_000_000;
    private final List<String> asked = new ArrayList<>();
    private final Topics topics =
            new Topics(1000 * MILLI, (topic, patient) -> asked.add(topic + (patient ? " with patience" : " once")));

    @Test
    void an_unknown_topic_is_looked_up_once() {
        topics.tick(0);
        assertThat(topics.isKnown("t")).isFalse();
        assertThat(topics.stateOf("t")).isInstanceOf(Topics.Asked.class);
        assertThat(topics.stateOf("t")).isInstanceOf(Topics.Asked.class);
        assertThat(asked).containsExactly("t with patience");
    }

    @Test
    void a_known_topic_is_looked_up_again_only_after_it_was_idle() {
        topics.tick(0);
        topics.isThere("t");
        for (int now = 0; now < 5000; now += 900) {
            topics.tick(now * MILLI);
            assertThat(topics.isKnown("t")).isTrue();
            assertThat(topics.isKnown("t")).isTrue();
        }
        topics.tick(5600 * MILLI);
        assertThat(topics.isKnown("t")).isFalse();
        assertThat(topics.stateOf("t")).isInstanceOf(Topics.Asked.class);
        assertThat(asked).containsExactly("t with patience");
    }

    @Test
    void a_missing_topic_is_looked_up_again_without_waiting() {
        Retry why = new Retry("missing");
        topics.tick(0);
        topics.isAbsent("t", why);
        topics.tick(99 * MILLI);
        assertThat(topics.stateOf("t")).isEqualTo(new Topics.Absent(why));
        topics.tick(100 * MILLI);
        assertThat(topics.stateOf("t")).isInstanceOf(Topics.Asked.class);
        assertThat(asked).containsExactly("t once");
    }

    @Test
    void a_refused_name_is_forgotten_with_the_next_batch() {
        for (int i = 0; i < 1000; i++) {
            topics.tick(i);
            topics.stateOf("t" + i);
            topics.isAbsent("t" + i, new Refused("not a name"));
            assertThat(topics.stateOf("t" + i)).isEqualTo(new Topics.Absent(new Refused("not a name")));
        }
        topics.tick(1000);
        assertThat(topics.size()).isZero();
    }

    @Test
    void only_the_missing_topics_that_were_looked_up_last_are_remembered() {
        for (int i = 0; i < 3 * MissingTopics.MOST; i++) {
            topics.tick(i);
            topics.stateOf("t" + i);
            topics.isAbsent("t" + i, new Retry("missing"));
        }
        assertThat(topics.size()).isEqualTo(MissingTopics.MOST);
        asked.clear();
        topics.tick(1000 * MILLI);
        topics.stateOf("t0");
        topics.stateOf("t" + (2 * MissingTopics.MOST));
        assertThat(asked).containsExactly("t0 with patience", "t" + 2 * MissingTopics.MOST + " once");
    }

    @Test
    void a_missing_topic_that_was_created_is_known() {
        topics.tick(0);
        topics.isAbsent("t", new Retry("missing"));
        topics.tick(200 * MILLI);
        topics.stateOf("t");
        topics.isThere("t");
        assertThat(topics.stateOf("t")).isInstanceOf(Topics.Known.class);
        assertThat(topics.size()).isOne();
    }
}
