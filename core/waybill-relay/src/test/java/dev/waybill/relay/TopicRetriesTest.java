package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RetryPolicy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TopicRetriesTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final TopicRetries retries =
            new TopicRetries(RetryPolicy.defaults().retries(2).first(SECOND).factor(2));

    @Test
    void a_topic_is_retried_by_the_policy_and_then_given_up_until_it_accepts_a_message() {
        assertThat(retries.failed("a")).contains(SECOND);
        assertThat(retries.failed("a")).contains(SECOND.multipliedBy(2));
        assertThat(retries.failed("a")).isEmpty();
        assertThat(retries.failed("a")).as("still missing").isEmpty();
        retries.delivered("a");
        assertThat(retries.failed("a")).contains(SECOND);
    }

    @Test
    void topics_are_counted_separately() {
        retries.failed("a");
        retries.failed("a");
        assertThat(retries.failed("b")).contains(SECOND);
        retries.delivered("b");
        assertThat(retries.failed("a")).isEmpty();
    }

    @Test
    void of_topics_that_were_given_up_only_those_that_failed_last_are_remembered() {
        giveUp("often");
        for (int i = 0; i < 3 * TopicRetries.MOST_GIVEN_UP; i++) {
            giveUp("topic-" + i);
            assertThat(retries.failed("often")).isEmpty();
        }
        assertThat(retries.size()).isEqualTo(TopicRetries.MOST_GIVEN_UP);
        assertThat(retries.failed("topic-0")).as("forgotten").contains(SECOND);
    }

    @Test
    void topics_that_are_still_retried_are_all_counted() {
        int many = 3 * TopicRetries.MOST_GIVEN_UP;
        for (int i = 0; i < many; i++) {
            assertThat(retries.failed("topic-" + i)).contains(SECOND);
        }
        for (int i = 0; i < many; i++) {
            assertThat(retries.failed("topic-" + i)).contains(SECOND.multipliedBy(2));
        }
        for (int i = 0; i < many; i++) {
            retries.delivered("topic-" + i);
        }
        assertThat(retries.size()).isZero();
    }

    private void giveUp(String topic) {
        retries.failed(topic);
        retries.failed(topic);
        assertThat(retries.failed(topic)).isEmpty();
    }
}
