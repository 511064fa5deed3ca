package dev.waybill.kafka;

import dev.waybill.kafka.AwayPartitions.Away;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out which partitions are away while others are not. A partition is away when messages to it are out, nothing was
 * acknowledged for a while, and Kafka says that it has no leader; or when it has one and acknowledges nothing for longer,
 * while others do. As long as no other partition is known to work, Kafka counts as away as a whole, and no single partition
 * does. Runs on the lookup's thread.
 */
final class PartitionWatch {
    private static final Logger log = LoggerFactory.getLogger(PartitionWatch.class);
    private static final long NO_LEADER_MILLIS = 2_000;
    private static final long NO_ACKNOWLEDGEMENT_MILLIS = 10_000;
    private static final long ON_TRIAL_MILLIS = 3_000;

    private final TopicLookup lookup;
    private final AwayPartitions away;
    private final KafkaErrors errors;
    private final long deliveryNanos;
    private final long noLeaderNanos;
    private final long noAcknowledgementNanos;
    private final long onTrialNanos;

    /** All within the delivery timeout, after which the producer gives up. */
    PartitionWatch(TopicLookup lookup, AwayPartitions away, KafkaErrors errors, Duration deliveryTimeout) {
        this.lookup = lookup;
        this.away = away;
        this.errors = errors;
        long delivery = deliveryTimeout.toMillis();
        this.deliveryNanos = deliveryTimeout.toNanos();
        this.noLeaderNanos = nanos(Math.min(NO_LEADER_MILLIS, delivery / 3));
        this.noAcknowledgementNanos = nanos(Math.min(NO_ACKNOWLEDGEMENT_MILLIS, delivery / 2));
        this.onTrialNanos = nanos(Math.min(ON_TRIAL_MILLIS, delivery / 2));
    }

    private static long nanos(long millis) {
        return Duration.ofMillis(millis).toNanos();
    }

    /** A look at a producer at work. */
    Map<TopicPartition, Away> findAway(ProducerLife life) {
        return findAway(life, noAcknowledgementNanos);
    }

    /** The producer gave up a message, or its buffer stays full: there is no more time to wait. */
    Map<TopicPartition, Away> findAwayNow(ProducerLife life) {
        return findAway(life, onTrialNanos);
    }

    private Map<TopicPartition, Away> findAway(ProducerLife life, long quietNanos) {
        long now = System.nanoTime();
        life.counters().all().forEach(counter -> counter.observe(now));
        Map<TopicPartition, Long> suspects = suspects(life, now);
        if (suspects.isEmpty()) {
            return Map.of();
        }
        Map<String, List<PartitionInfo>> found = new HashMap<>();
        try {
            for (TopicPartition suspect : suspects.keySet()) {
                found.computeIfAbsent(suspect.topic(), lookup::partitionsOf);
            }
        } catch (RuntimeException e) {
            log.debug("Kafka does not say which partitions are away.", e);
            return Map.of();
        }
        Map<TopicPartition, Away> result = new HashMap<>();
        suspects.forEach((suspect, quietSince) -> {
            PartitionInfo info = AwayPartitions.find(found.getOrDefault(suspect.topic(), List.of()), suspect);
            String why = whyAway(life, suspect, info, quietSince, quietNanos);
            if (why != null) {
                result.put(suspect, Away.of(errors.partitionAway(suspect, why), info));
            }
        });
        return othersWork(life, found, result.keySet(), now) ? result : Map.of();
    }

    /** With the time since which nothing was acknowledged. */
    private Map<TopicPartition, Long> suspects(ProducerLife life, long now) {
        Map<TopicPartition, Long> suspects = new HashMap<>();
        life.expired().forEach(partition -> suspects.put(partition, now - deliveryNanos));
        for (PartitionCounter stuck : life.counters().stuck(now, noLeaderNanos)) {
            if (stuck.partition() != null) {
                suspects.put(stuck.partition(), stuck.quietSince());
            }
        }
        return suspects;
    }

    private @Nullable String whyAway(
            ProducerLife life, TopicPartition suspect, @Nullable PartitionInfo info, long quietSince, long quietNanos) {
        if (AwayPartitions.leaderOf(info) == Node.noNode().id()) {
            return "it has no leader";
        }
        long now = System.nanoTime();
        long enough = away.isOnTrial(suspect, now) ? Math.min(onTrialNanos, quietNanos) : quietNanos;
        boolean othersProgressed = life.counters()
                .all()
                .anyMatch(other -> other.progressedAfter(quietSince) && !other.isStuck(now, noLeaderNanos));
        return now - quietSince >= enough && othersProgressed
                ? "its leader, broker " + AwayPartitions.leaderOf(info) + ", has acknowledged nothing for "
                        + Duration.ofNanos(now - quietSince).toSeconds() + " s, with "
                        + (info == null ? 0 : info.inSyncReplicas().length) + " replicas in sync"
                : null;
    }

    private boolean othersWork(
            ProducerLife life, Map<String, List<PartitionInfo>> found, Set<TopicPartition> suspects, long now) {
        Set<TopicPartition> gone = new HashSet<>(suspects);
        for (PartitionCounter stuck : life.counters().stuck(now, noAcknowledgementNanos)) {
            if (stuck.partition() != null) {
                gone.add(stuck.partition());
            }
        }
        boolean oneHasLeader = found.entrySet().stream()
                .anyMatch(topic -> topic.getValue().stream()
                        .filter(info ->
                                AwayPartitions.leaderOf(info) != Node.noNode().id())
                        .map(info -> new TopicPartition(topic.getKey(), info.partition()))
                        .anyMatch(partition -> !gone.contains(partition) && away.answerFor(partition) == null));
        return oneHasLeader
                || life.counters()
                        .all()
                        .anyMatch(other -> other.progressedAfter(now - deliveryNanos)
                                && !other.isStuck(now, noLeaderNanos)
                                && (other.partition() == null || !gone.contains(other.partition())));
    }
}
