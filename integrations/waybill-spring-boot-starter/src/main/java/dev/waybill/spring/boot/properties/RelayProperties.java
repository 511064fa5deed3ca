package dev.waybill.spring.boot.properties;

import dev.waybill.RelayDefaults;
import dev.waybill.RetryPolicy;
import dev.waybill.relay.RelayOptions;
import dev.waybill.relay.TransactionSize;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A relay.
 *
 * @param store The store, by its name. Required; the relay main takes the only one.
 * @param destination The destination, by its name: one of waybill.destinations, or kafka or rabbitmq for Spring Boot's own
 *     connection. Required; the relay main takes the only one.
 * @param format The form of messages: a JSON object around the payload (envelope, notification), or the payload alone (raw,
 *     stored), also with the headers of Debezium's outbox router (debezium, debezium-with-type).
 * @param source The envelope's source. Default: waybill.source.
 * @param route Where events go: one of its keys. Default: by type.
 * @param registry The event types: the location of a JSON file. Events that do not match are not sent.
 * @param batch Events per claim at most. Default: 2000, or that of the store's layout.
 * @param batchBytes Bytes of events per claim at most.
 * @param inFlight Limits of what is in flight at the destination.
 * @param poll How often the store is polled when there is nothing to do.
 * @param retry When a failed event is sent again.
 * @param countOutages Whether a broker that is unavailable counts as a failed attempt of the events that it was asked to send.
 * @param onDead Whether later events of a dead event's key are sent, or wait for an operator.
 * @param delivery Whether messages are sent at least once, or exactly once, together with the relay's position, in transactions (a
 *     journal to Kafka, for consumers that read committed messages).
 * @param transaction The size of transactions, with delivery=exactly-once.
 * @param lease How long another process waits before it takes over from one that died.
 * @param grace How long a stop waits for messages in flight.
 * @param rate Events per second at most. Default: no limit.
 * @param autoStartup Whether it starts with the application. If false, this process never runs it.
 */
public record RelayProperties(
        @Nullable String store,
        @Nullable String destination,
        @DefaultValue("raw") MessageForm format,
        @Nullable String source,
        @DefaultValue Route route,
        @Nullable String registry,
        @Nullable Integer batch,
        @DefaultValue("4000000") long batchBytes,
        @DefaultValue InFlight inFlight,
        @DefaultValue Poll poll,
        @DefaultValue Retry retry,
        @DefaultValue("false") boolean countOutages,
        @DefaultValue("pass") RelayOptions.OnDead onDead,
        @DefaultValue("at-least-once") Delivery delivery,
        @DefaultValue Transaction transaction,
        @DefaultValue("5s") Duration lease,
        @DefaultValue("10s") Duration grace,
        @Nullable Integer rate,
        @DefaultValue("true") boolean autoStartup) {

    /** The form of messages. */
    public enum MessageForm {
        ENVELOPE,
        RAW,
        NOTIFICATION,
        STORED,
        DEBEZIUM,
        DEBEZIUM_WITH_TYPE
    }

    /** How often a message may arrive. */
    public enum Delivery {
        AT_LEAST_ONCE,
        EXACTLY_ONCE
    }

    /**
     * The size of transactions. When the store has no more events, a transaction is committed at once.
     *
     * @param maxEvents Events in one transaction: with more, the transaction is committed.
     * @param linger How long a transaction stays open while there are more events; 10s at most.
     */
    public record Transaction(
            @DefaultValue("10000") int maxEvents,
            @DefaultValue("100ms") Duration linger) {}

    /** By what events are routed. */
    public enum RouteBy {
        TYPE,
        AGGREGATE_TYPE,
        STORED_TOPIC,
        REGISTRY
    }

    /**
     * Where events go.
     *
     * @param by To the topic named like the event's type or like its aggregate type, to the topic stored with the event, or as the
     *     registry says.
     * @param aggregateType To a topic by the event's aggregate type.
     * @param topic All events to one topic.
     * @param template A template of the topic with {type}, {aggregateType} and {aggregateId}.
     */
    public record Route(
            @Nullable RouteBy by,
            @DefaultValue Map<String, String> aggregateType,
            @Nullable String topic,
            @Nullable String template) {}

    /**
     * Limits of what is in flight at the destination.
     *
     * @param batches Batches in flight at most …
     * @param bytes … and bytes of events and messages at most.
     * @param timeout After this time without an answer a batch is aborted. Must be longer than the destination waits for its
     *     broker.
     */
    public record InFlight(
            @DefaultValue("5") int batches,
            @DefaultValue("32000000") long bytes,
            @DefaultValue("2m") Duration timeout) {}

    /**
     * How often the store is polled.
     *
     * @param interval How often the store is polled soon after an event. Default: 50ms, or that of the store's layout.
     * @param maxIdle How often the store is polled after a while without events. Default: 1s, or that of the store's layout.
     * @param initialDelay The wait between the start and the first poll. Default: 0s, or that of the store's layout.
     */
    public record Poll(
            @Nullable Duration interval,
            @Nullable Duration maxIdle,
            @Nullable Duration initialDelay) {}

    /**
     * When a failed event is sent or handled again.
     *
     * @param retries Retries at most; then the event is dead. With unlimited it is sent again until it succeeds or is refused.
     * @param first The wait before the first retry.
     * @param factor The factor by which each wait grows.
     * @param max The longest wait.
     */
    public record Retry(
            @Nullable RetryCount retries,
            @Nullable Duration first,
            @Nullable Double factor,
            @Nullable Duration max) {

        /** If only the shortest or only the longest wait is given, the other one fits to it. */
        public RetryPolicy over(RetryPolicy defaults) {
            Range waits = new Range(defaults.first(), defaults.max()).with(first, max);
            return new RetryPolicy(
                    retries == null ? defaults.retries() : retries.number(),
                    waits.shortest(),
                    factor == null ? defaults.factor() : factor,
                    waits.longest());
        }
    }

    /** The size of transactions, if the relay delivers exactly once. */
    public Optional<TransactionSize> transactions() {
        TransactionSize size = new TransactionSize(transaction.maxEvents, transaction.linger);
        return delivery == Delivery.EXACTLY_ONCE ? Optional.of(size) : Optional.empty();
    }

    /**
     * @param store what relays of the store do unless they are told otherwise
     * @param retention of the store
     * @throws IllegalArgumentException if a value cannot be used; the message says why
     */
    public RelayOptions options(RelayDefaults store, Optional<Duration> retention) {
        Range polls = new Range(store.pollInterval(), store.maxIdle()).with(poll.interval, poll.maxIdle);
        return new RelayOptions(
                new RelayOptions.BatchSize(batch == null ? store.batch() : batch, batchBytes),
                new RelayOptions.InFlight(inFlight.batches, inFlight.bytes, inFlight.timeout),
                new RelayOptions.Poll(
                        polls.shortest(),
                        polls.longest(),
                        poll.initialDelay == null ? store.initialDelay() : poll.initialDelay),
                retry.over(store.retry()),
                countOutages,
                onDead,
                lease,
                grace,
                rate == null ? OptionalInt.empty() : OptionalInt.of(rate),
                retention);
    }
}
