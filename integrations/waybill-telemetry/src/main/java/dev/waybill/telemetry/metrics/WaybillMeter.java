package dev.waybill.telemetry.metrics;

import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * All meters. Names, kinds, labels and descriptions are defined only here; docs/metrics.md is made from this table. The values of
 * labels come from configuration and from the constants of this package, never from events, so that their number is bounded.
 */
enum WaybillMeter {
    STORE_UP(
            "waybill.store.up",
            Kind.GAUGE,
            "1 or 0",
            "Whether the status of the store could be read, within the last minute at the latest. While it is 0, the other gauges of the"
                    + " store have no value",
            Label.STORE),
    STORE_BACKLOG(
            "waybill.store.backlog",
            Kind.GAUGE,
            "events",
            "Events that are not published yet, without parked ones; counted up to 10,000 and estimated beyond",
            Label.STORE,
            Label.RELAY),
    STORE_OLDEST_AGE(
            "waybill.store.oldest.age",
            Kind.GAUGE,
            WaybillMeter.SECONDS,
            "Age of the oldest event that is not published, whether it is pending or parked; 0 if there is none, no value if no"
                    + " creation time is known",
            Label.STORE,
            Label.RELAY),
    STORE_PARKED(
            "waybill.store.parked",
            Kind.GAUGE,
            "events",
            "Events that wait for a retry, or behind one of their key; a lower bound above 10,000",
            Label.STORE,
            Label.RELAY),
    STORE_DEAD(
            "waybill.store.dead",
            Kind.GAUGE,
            "events",
            "Dead events that wait for an operator; a lower bound above 10,000",
            Label.STORE,
            Label.RELAY),
    STORE_PAUSED(
            "waybill.store.paused",
            Kind.GAUGE,
            "1 or 0",
            "Whether an operator has paused the relay",
            Label.STORE,
            Label.RELAY),
    STORE_LEASE_HELD(
            "waybill.store.lease.held",
            Kind.GAUGE,
            "1 or 0",
            "Whether any process holds the lease of the relay",
            Label.STORE,
            Label.RELAY),
    STORE_LEASE_EPOCH(
            "waybill.store.lease.epoch",
            Kind.GAUGE,
            "number",
            "Grows by one whenever a process takes the lease, and outlives processes; no value while none holds it",
            Label.STORE,
            Label.RELAY),

    RELAY_PHASE(
            "waybill.relay.phase",
            Kind.GAUGE,
            "1 or 0",
            "1 for the phase of the relay in this process: stopped, standing-by (another process has the lease, or the store is"
                    + " unavailable), running, or backing-off (the destination is unavailable)",
            Label.RELAY,
            Label.PHASE),
    RELAY_FAILING(
            "waybill.relay.failing",
            Kind.GAUGE,
            WaybillMeter.SECONDS,
            "How long the relay has been failing without any progress; 0 while it works, is idle or stands by",
            Label.RELAY),
    RELAY_DESTINATION_UNAVAILABLE(
            "waybill.relay.destination.unavailable",
            Kind.GAUGE,
            "1 or 0",
            "Whether the relay waits because its destination is unavailable",
            Label.RELAY),
    RELAY_SESSIONS(
            "waybill.relay.sessions",
            Kind.COUNTER,
            "sessions",
            "How often this process took the lease. Many in a short time mean that processes take it from each other, or that"
                    + " sessions fail. A process that is killed begins at 0 again, so alerts use the epoch",
            Label.RELAY),
    RELAY_PUBLISHED("waybill.relay.published", Kind.COUNTER, "events", "Events recorded as published", Label.RELAY),
    RELAY_DEAD("waybill.relay.dead", Kind.COUNTER, "events", "Events given up by this process", Label.RELAY),
    RELAY_ATTEMPTS(
            "waybill.relay.attempts",
            Kind.COUNTER,
            "messages",
            "Messages handed to the destination, by its answer: delivered, failed (a retry may succeed), refused (it never will),"
                    + " in-doubt (it may have arrived), unavailable, or unanswered when the session ended",
            Label.RELAY,
            Label.OUTCOME),
    RELAY_REPEATS(
            "waybill.relay.repeats",
            Kind.COUNTER,
            "events",
            "Events sent again although the destination has them or may have them: acknowledged but not recorded, in doubt, or"
                    + " unanswered. Duplicates caused by a crash are visible only to consumers",
            Label.RELAY),
    RELAY_BATCH_SIZE(
            "waybill.relay.batch.size", Kind.SUMMARY, "events", "Events in each batch that was claimed", Label.RELAY),
    RELAY_LATENCY(
            "waybill.relay.latency",
            Kind.TIMER,
            WaybillMeter.SECONDS,
            "Where the time goes: commit-to-claim, for the first event of each batch, from its creation, which is the time nearest"
                    + " to its commit that a store knows; claim-to-send and send-to-ack, for each call of the destination until the relay has its answer",
            Label.RELAY,
            Label.PHASE) {
        @Override
        Duration[] buckets() {
            return millis(1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 60_000, 300_000);
        }
    },

    CONSUMER_WORKING(
            "waybill.consumer.working",
            Kind.GAUGE,
            "1 or 0",
            "Whether the consumer receives and handles messages; 0 while it waits for a dependency, has a defect or has ended",
            Label.CONSUMER),
    CONSUMER_EVENTS(
            "waybill.consumer.events",
            Kind.COUNTER,
            "events",
            "Events by what the consumer did: handled, duplicate (its effect was there already), stale (a newer version was), skipped"
                    + " (no handler for its type), failed (one call of a handler), dead (sent to the dead letters)",
            Label.CONSUMER,
            Label.OUTCOME),
    CONSUMER_GAPS(
            "waybill.consumer.gaps",
            Kind.COUNTER,
            "events",
            "Events that were handled before earlier versions of their entity",
            Label.CONSUMER),
    CONSUMER_HANDLING(
            "waybill.consumer.handling", Kind.TIMER, WaybillMeter.SECONDS, "Each call of a handler", Label.CONSUMER) {
        @Override
        Duration[] buckets() {
            return millis(1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 5_000, 30_000);
        }
    },
    CONSUMER_LAG(
            "waybill.consumer.lag",
            Kind.TIMER,
            WaybillMeter.SECONDS,
            "Age of each message when it was handled, since it was sent, or on RabbitMQ since its event was appended; none if the"
                    + " broker does not tell that time",
            Label.CONSUMER) {
        @Override
        Duration[] buckets() {
            return millis(5, 10, 50, 100, 500, 1_000, 5_000, 10_000, 60_000, 300_000, 3_600_000);
        }
    },
    CONSUMER_HELD(
            "waybill.consumer.held",
            Kind.GAUGE,
            "messages",
            "Messages that this process received and has not finished",
            Label.CONSUMER),
    CONSUMER_OLDEST_AGE(
            "waybill.consumer.oldest.age",
            Kind.GAUGE,
            WaybillMeter.SECONDS,
            "Age of the oldest of these messages, since it was sent, or on RabbitMQ since its event was appended; 0 if there is"
                    + " none",
            Label.CONSUMER),

    DEAD_LETTERS_UP(
            "waybill.dead.letters.up",
            Kind.GAUGE,
            "1 or 0",
            "Whether the dead letters of the destination could be counted in time. While it is 0, their number has no value",
            Label.DESTINATION),
    DEAD_LETTERS(
            "waybill.dead.letters",
            Kind.GAUGE,
            "messages",
            "Dead letters that wait for an operator, by the consumer that gave them up: unknown if the broker tells only the total,"
                    + " other for names that are not plain, and beyond 100 consumers. A lower bound if a topic has more letters than"
                    + " are read, which are 1,000 in `waybill run`",
            Label.DESTINATION,
            Label.CONSUMER),

    LOGINS_FAILED(
            "waybill.logins.failed",
            Kind.COUNTER,
            "logins",
            "Logins to the console with a wrong name or password, attempts that had to wait after too many of them, and requests"
                    + " with an unknown token");

    static final String SECONDS = "seconds";

    /** As in Micrometer. */
    enum Kind {
        COUNTER,
        GAUGE,
        SUMMARY,
        TIMER
    }

    /** A label. Each has few values. */
    enum Label {
        STORE,
        RELAY,
        CONSUMER,
        DESTINATION,
        PHASE,
        OUTCOME;

        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final String id;
    private final Kind kind;
    private final String unit;
    private final String description;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<Label> labels;

    WaybillMeter(String id, Kind kind, String unit, String description, Label... labels) {
        this.id = id;
        this.kind = kind;
        this.unit = unit;
        this.description = description;
        this.labels = List.of(labels);
    }

    /** The name in Micrometer. */
    String id() {
        return id;
    }

    Kind kind() {
        return kind;
    }

    String unit() {
        return unit;
    }

    String description() {
        return description;
    }

    List<Label> labels() {
        return labels;
    }

    /** Upper bounds of a histogram; none by default. */
    Duration[] buckets() {
        return new Duration[0];
    }

    /** @param values one for each label, in order */
    Tags tags(String... values) {
        Tags tags = Tags.empty();
        for (int i = 0; i < labels.size(); i++) {
            tags = tags.and(labels.get(i).text(), values[i]);
        }
        return tags;
    }

    private static Duration[] millis(long... bounds) {
        return Arrays.stream(bounds).mapToObj(Duration::ofMillis).toArray(Duration[]::new);
    }
}
