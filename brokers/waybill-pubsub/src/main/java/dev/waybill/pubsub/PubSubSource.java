package dev.waybill.pubsub;

import dev.waybill.spi.MessageSource;
import java.time.Duration;

/**
 * Messages of a Pub/Sub subscription, shared among all its readers. Each is acknowledged when it is handled; until then its
 * deadline is extended, however long its handler takes or its retry waits.
 *
 * <p>Order per key is kept if the subscription was created with message ordering.
 */
public final class PubSubSource implements MessageSource {
    public static final Outstanding OUTSTANDING = new Outstanding(1_000, 64_000_000);
    public static final Duration ACK_DEADLINE = Duration.ofSeconds(30);
    private static final Duration SHORTEST_DEADLINE = Duration.ofSeconds(10);
    private static final Duration LONGEST_DEADLINE = Duration.ofMinutes(10);

    private final PubSubOptions options;
    private final String subscription;
    private final String topic;
    private final Outstanding outstanding;
    private final Duration ackDeadline;

    /** Limits of unacknowledged messages. At the limit nothing more is requested; messages in transit still arrive. */
    public record Outstanding(int messages, long bytes) {}

    private PubSubSource(
            PubSubOptions options, String subscription, String topic, Outstanding outstanding, Duration ackDeadline) {
        if (subscription.isBlank() || topic.isBlank()) {
            throw new IllegalArgumentException(
                    "The Pub/Sub source has no subscription or no topic: give the subscription and its topic.");
        }
        if (outstanding.messages() < 1 || outstanding.bytes() < 1) {
            throw new IllegalArgumentException("The limit of outstanding messages is " + outstanding.messages()
                    + " messages and " + outstanding.bytes() + " bytes: both must be at least 1.");
        }
        if (ackDeadline.compareTo(SHORTEST_DEADLINE) < 0 || ackDeadline.compareTo(LONGEST_DEADLINE) > 0) {
            throw new IllegalArgumentException("ackDeadline is " + ackDeadline.toSeconds() + " s: Pub/Sub allows "
                    + SHORTEST_DEADLINE.toSeconds() + " to " + LONGEST_DEADLINE.toSeconds() + " s.");
        }
        this.options = options;
        this.subscription = subscription;
        this.topic = topic;
        this.outstanding = outstanding;
        this.ackDeadline = ackDeadline;
    }

    /**
     * @param subscription one for each consumer; its name, or in full {@code projects/…/subscriptions/…}
     * @param topic of the subscription, as in the route: dead letters go to a topic named after it
     */
    public static PubSubSource of(PubSubOptions options, String subscription, String topic) {
        return new PubSubSource(options, subscription, topic, OUTSTANDING, ACK_DEADLINE);
    }

    public PubSubSource outstanding(Outstanding most) {
        return new PubSubSource(options, subscription, topic, most, ackDeadline);
    }

    /** After this time the messages of a crashed consumer are redelivered. */
    public PubSubSource ackDeadline(Duration deadline) {
        return new PubSubSource(options, subscription, topic, outstanding, deadline);
    }

    PubSubOptions options() {
        return options;
    }

    String subscription() {
        return subscription;
    }

    String topic() {
        return topic;
    }

    Outstanding outstanding() {
        return outstanding;
    }

    Duration ackDeadline() {
        return ackDeadline;
    }

    /** Connects when it is first polled, so Pub/Sub need not be available yet. */
    @Override
    public Subscription subscribe(Listener listener) {
        return PubSubSubscription.open(this, listener);
    }

    @Override
    public String toString() {
        return "PubSubSource[" + subscription + "]";
    }
}
