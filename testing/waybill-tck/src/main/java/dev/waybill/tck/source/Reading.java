package dev.waybill.tck.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spi.InboundMessage;
import dev.waybill.spi.MessageSource;
import dev.waybill.spi.MessageSource.Subscription;
import dev.waybill.spi.SourceException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/** A subscription and all messages it has delivered. */
final class Reading implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(50);
    /** Far longer than any broker needs; a message that has not arrived by then never will. */
    static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Subscription subscription;
    private final List<InboundMessage> got = new ArrayList<>();

    Reading(Subscription subscription) {
        this.subscription = subscription;
    }

    static Reading of(MessageSource source) {
        return new Reading(source.subscribe((from, whose) -> {}));
    }

    /** Subscribes to a broker that is restarting; some need several attempts, as a consumer makes them. */
    static Reading again(MessageSource source) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                return of(source);
            } catch (SourceException e) {
                assertThat(System.nanoTime())
                        .as("subscribed in time: %s", e.getMessage())
                        .isLessThan(deadline);
                LockSupport.parkNanos(POLL.toNanos());
            }
        }
    }

    Subscription subscription() {
        return subscription;
    }

    List<InboundMessage> got() {
        return got;
    }

    List<String> texts() {
        return got.stream().map(Reading::text).toList();
    }

    static String text(InboundMessage message) {
        return new String(message.value(), StandardCharsets.UTF_8);
    }

    /** Polls once and takes what is available. */
    List<InboundMessage> poll(int atMost) {
        List<InboundMessage> some = subscription.poll(POLL, atMost);
        assertThat(some).hasSizeLessThanOrEqualTo(atMost);
        got.addAll(some);
        return some;
    }

    /** Polls until this number of messages has arrived. */
    Reading await(int count) {
        return until(all -> all.size() >= count);
    }

    /** Polls until this message has arrived. */
    Reading await(String text) {
        return until(all -> all.stream().anyMatch(message -> text(message).equals(text)));
    }

    Reading until(Predicate<List<InboundMessage>> enough) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!enough.test(got)) {
            assertThat(System.nanoTime())
                    .as("waited in vain; what came is %s", texts())
                    .isLessThan(deadline);
            poll(100);
        }
        return this;
    }

    Reading acknowledge(int... indexes) {
        List<InboundMessage> done = new ArrayList<>();
        for (int index : indexes) {
            done.add(got.get(index));
        }
        subscription.acknowledge(done);
        return this;
    }

    Reading acknowledgeAll() {
        subscription.acknowledge(got);
        return this;
    }

    @Override
    public void close() {
        subscription.close();
    }
}
