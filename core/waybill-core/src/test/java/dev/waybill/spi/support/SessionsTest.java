package dev.waybill.spi.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Delivery.Unavailable;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.PublishLog;
import dev.waybill.spi.Seen;
import dev.waybill.spi.support.Sessions.Session;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SessionsTest {
    private static final Unavailable LOST = new Unavailable("connection lost");

    private final List<Recorded> opened = new ArrayList<>();
    private final Sessions<Recorded> sessions = new Sessions<>("broker X", () -> {
        opened.add(new Recorded());
        return opened.get(opened.size() - 1);
    });
    private final PublishLog log = new PublishLog();

    @Test
    void one_session_serves_until_it_ends() {
        assertThat(publish(log.next())).isEqualTo(Delivery.DELIVERED);
        assertThat(publish(log.next())).isEqualTo(Delivery.DELIVERED);
        assertThat(opened).hasSize(1);
    }

    @Test
    void after_its_end_nothing_is_sent_until_the_publisher_has_seen_all_its_answers() {
        Seen first = log.next();
        publish(first);
        opened.get(0).end = LOST;
        Seen second = log.next();
        assertThat(publish(second)).isEqualTo(LOST);
        log.takenIn(first);
        Seen third = log.next();
        assertThat(publish(third)).as("the second answer is not seen").isEqualTo(LOST);
        log.takenIn(second);
        log.takenIn(third);
        assertThat(publish(log.next())).isEqualTo(Delivery.DELIVERED);
        assertThat(opened).hasSize(2);
    }

    @Test
    void a_session_that_ends_when_all_its_answers_are_seen_is_replaced_unnoticed() {
        Seen first = log.next();
        publish(first);
        log.takenIn(first);
        opened.get(0).end = LOST;
        assertThat(publish(log.next())).isEqualTo(Delivery.DELIVERED);
        assertThat(opened).hasSize(2);
    }

    @Test
    void an_abort_ends_the_session_and_the_next_publish_opens_another() {
        publish(log.next());
        sessions.abort();
        assertThat(opened.get(0).end).isNotNull();
        assertThat(publish(log.next())).isEqualTo(Delivery.DELIVERED);
        assertThat(opened).hasSize(2);
    }

    @Test
    void after_close_everything_is_unavailable() {
        publish(log.next());
        sessions.close();
        assertThat(opened.get(0).closed).isTrue();
        assertThat(publish(log.next())).isEqualTo(new Unavailable("the connection to broker X is closed"));
        assertThat(opened).hasSize(1);
    }

    private Delivery publish(Seen seen) {
        return sessions.publish(Published.messages("k"), seen)
                .toCompletableFuture()
                .join()
                .get(0);
    }

    private static final class Recorded implements Session {
        private @Nullable Unavailable end;
        private boolean closed;

        @Override
        public CompletionStage<List<Delivery>> publish(List<OutboundMessage> batch, Seen seen) {
            return CompletableFuture.completedFuture(Collections.nCopies(batch.size(), Delivery.DELIVERED));
        }

        @Override
        public @Nullable Unavailable end() {
            return end;
        }

        @Override
        public void abort(Unavailable why) {
            end = why;
        }

        @Override
        public void close(Unavailable why) {
            closed = true;
        }
    }
}
