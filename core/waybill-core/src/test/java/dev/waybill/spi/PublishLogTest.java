package dev.waybill.spi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PublishLogTest {
    private final PublishLog log = new PublishLog();

    @Test
    void a_publish_names_the_oldest_whose_answer_was_not_taken_in() {
        Seen first = log.next();
        Seen second = log.next();
        assertThat(first.below()).isEqualTo(first.number());
        assertThat(second.below()).isEqualTo(first.number());

        log.takenIn(first);
        assertThat(log.next().below()).isEqualTo(second.number());
    }

    @Test
    void numbers_rise_from_one_user_of_a_destination_to_the_next() {
        Seen before = log.next();
        assertThat(new PublishLog().next().number()).isGreaterThan(before.number());
    }
}
