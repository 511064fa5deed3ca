package dev.waybill.spring.boot.properties;

import dev.waybill.inbox.ConsumerOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A consumer.
 *
 * @param destination The broker that messages come from, by its name: one of waybill.destinations, or kafka or rabbitmq for
 *     Spring Boot's own connection. Default: the only one.
 * @param topics The topics or queues that are read. Default: those named like the types of the consumer's handlers.
 * @param store The store whose database has the inbox and the handlers' transactions. Default: the only store, or main.
 * @param format The form of messages: envelope, or the payload alone with headers (raw).
 * @param retry When a failed event is handled again. Default: 5 retries, 200ms before the first, factor 2, at most 10s.
 * @param deadLetterTopic Where messages go that cannot be handled, with {topic} for the topic they come from.
 * @param workers How many keys are handled at once.
 * @param held Messages in memory at most …
 * @param heldBytes … and bytes of them at most.
 * @param batch Events in one transaction at most, for handlers that allow batches.
 * @param grace How long a stop waits for running handlers.
 * @param keepHandled How long ids of handled events are kept. Default: the inbox's replay window.
 * @param autoStartup Whether it starts with the application. If false, this process never runs it.
 */
public record ConsumerProperties(
        @Nullable String destination,
        @DefaultValue List<String> topics,
        @Nullable String store,
        @DefaultValue("raw") MessageForm format,
        @DefaultValue RelayProperties.Retry retry,
        @DefaultValue("{topic}.dlt") String deadLetterTopic,
        @DefaultValue("8") int workers,
        @DefaultValue("1000") int held,
        @DefaultValue("64000000") long heldBytes,
        @DefaultValue("100") int batch,
        @DefaultValue("10s") Duration grace,
        @Nullable Duration keepHandled,
        @DefaultValue("true") boolean autoStartup) {

    /** The forms that a consumer can read. */
    public enum MessageForm {
        ENVELOPE,
        RAW
    }

    /** @throws IllegalArgumentException if a value cannot be used; the message says why */
    public ConsumerOptions options() {
        return new ConsumerOptions(
                workers,
                held,
                heldBytes,
                batch,
                retry.over(ConsumerOptions.defaults().retry()),
                grace,
                Optional.ofNullable(keepHandled));
    }
}
