package dev.waybill.kafka;

import dev.waybill.kafka.UnavailablePartitions.Outage;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects partitions that are unavailable while others work. A partition is unavailable if messages to it are in flight, nothing
 * is acknowledged, and according to Kafka it has had no leader for two seconds; or if it has a leader and acknowledges nothing for
 * ten seconds, while Kafka answers and others are acknowledged. After each failed trial it gets twice the time. After an outage of
 * all brokers the time starts when they answer again, so that a partition that recovers later than others does not count as
 * unavailable. As long as no other partition of any topic is known to work, Kafka as a whole counts as unavailable, and no single
 * partition does. Runs on the lookup's thread.
 */
final class PartitionWatch {
    private static final Logger log = LoggerFactory.getLogger(PartitionWatch.class);
    private static final long LOOK_MILLIS = 500;
    private static final long NO_LEADER_MILLIS = 1_500;
    private static final long QUIET_MILLIS = 3_000;
    private static final long NO_ACKNOWLEDGEMENT_MILLIS = 7_000;
    private static final long AT_LEAST_MILLIS = 1_000;
    private static final int UNANSWERED = 2;

    private final PartitionLookup lookup;
    private final UnavailablePartitions away;
    private final KafkaErrors errors;
    private final long deliveryNanos;
    private final long quietNanos;
    private final long noAcknowledgementNanos;

    PartitionWatch(PartitionLookup lookup, UnavailablePartitions away, KafkaErrors errors, Duration deliveryTimeout) {
        this.lookup = lookup;
        this.away = away;
        this.errors = errors;
        long delivery = deliveryTimeout.toMillis();
        this.deliveryNanos = deliveryTimeout.toNanos();
        // Together within the delivery timeout, after which the producer gives up.
        this.quietNanos = nanos(Math.min(QUIET_MILLIS, delivery / 3));
        this.noAcknowledgementNanos = nanos(Math.min(NO_ACKNOWLEDGEMENT_MILLIS, delivery / 2));
    }

    private static long nanos(long millis) {
        return Duration.ofMillis(millis).toNanos();
    }

    /** Checks a producer in use. */
    Map<TopicPartition, Outage> findUnavailable(ProducerLife life) {
        return findUnavailable(life, false);
    }

    /** The producer gave up a message, or its buffer stays full: decides without waiting. */
    Map<TopicPartition, Outage> findUnavailableNow(ProducerLife life) {
        return findUnavailable(life, true);
    }

    private Map<TopicPartition, Outage> findUnavailable(ProducerLife life, boolean atOnce) {
        long now = lookup.nanoTime();
        life.counters().all().forEach(counter -> counter.observe(now));
        Map<TopicPartition, Suspect> suspects = suspects(life, now);
        Map<String, List<PartitionInfo>> found = look(suspects.keySet());
        Map<TopicPartition, Outage> result = new HashMap<>();
        suspects.forEach((partition, suspect) -> {
            List<PartitionInfo> ofTopic = found.get(partition.topic());
            PartitionInfo info = ofTopic == null ? null : UnavailablePartitions.find(ofTopic, partition);
            if (ofTopic == null) {
                suspect.isAwayFor(false, now);
            } else if (hasNoLeader(info)) {
                if (suspect.isAwayFor(true, now) >= (atOnce ? 0 : nanos(NO_LEADER_MILLIS))) {
                    result.put(partition, Outage.of(errors.partitionUnavailable(partition, "it has no leader"), info));
                }
            } else {
                PartitionInfo worst = suspect.atWorst(info);
                if (isSilentForTooLong(life, partition, suspect, atOnce, now)) {
                    result.put(
                            partition,
                            Outage.of(errors.partitionUnavailable(partition, silence(suspect, worst, now)), worst));
                }
            }
        });
        return result.isEmpty() || othersWork(life, found, suspects.keySet(), now) ? result : Map.of();
    }

    /** Each topic separately: one that Kafka does not describe must not hide the others. */
    private Map<String, List<PartitionInfo>> look(Set<TopicPartition> suspects) {
        Map<String, List<PartitionInfo>> found = new HashMap<>();
        int unanswered = 0;
        for (String topic :
                suspects.stream().map(TopicPartition::topic).distinct().toList()) {
            try {
                found.put(topic, lookup.partitionsOf(topic));
            } catch (RuntimeException e) {
                log.debug("Kafka does not describe the partitions of topic {}.", topic, e);
                unanswered += e instanceof RetriableException ? 1 : 0;
            }
            if (found.isEmpty() && unanswered == UNANSWERED) {
                // Each request costs a second, and no broker answers.
                return found;
            }
        }
        return found;
    }

    private static boolean hasNoLeader(@Nullable PartitionInfo info) {
        return UnavailablePartitions.leaderOf(info) == Node.noNode().id();
    }

    private boolean isSilentForTooLong(
            ProducerLife life, TopicPartition partition, Suspect suspect, boolean atOnce, long now) {
        long silent = suspect.isAwayFor(isSilent(life, suspect, now), now);
        if (silent >= (atOnce ? nanos(AT_LEAST_MILLIS) : enough(partition))) {
            return true;
        }
        if (silent >= noAcknowledgementNanos) {
            away.isSlow(partition);
        }
        return life.expired().contains(partition) && away.timesSilent(partition) > 0;
    }

    /**
     * A partition that failed a trial gets more time; otherwise a slow one would be sent the same messages again and again. When
     * that reaches the delivery timeout, the producer decides.
     */
    private long enough(TopicPartition partition) {
        long given = (quietNanos + noAcknowledgementNanos) << Math.min(away.timesSilent(partition), 10);
        return given < deliveryNanos ? given - quietNanos : Long.MAX_VALUE;
    }

    /**
     * @param counter null where the producer chose the partition
     */
    private record Suspect(@Nullable PartitionCounter counter) {
        long isAwayFor(boolean suspected, long now) {
            return counter == null ? 0 : counter.suspect(suspected, now);
        }

        @Nullable PartitionInfo atWorst(@Nullable PartitionInfo found) {
            return counter == null || found == null ? found : counter.atWorst(found);
        }
    }

    private Map<TopicPartition, Suspect> suspects(ProducerLife life, long now) {
        Map<TopicPartition, Suspect> suspects = new HashMap<>();
        life.expired().forEach(partition -> suspects.put(partition, new Suspect(null)));
        for (PartitionCounter stuck : life.counters().stuck(now, nanos(LOOK_MILLIS))) {
            if (stuck.partition() != null) {
                suspects.put(stuck.partition(), new Suspect(stuck));
            }
        }
        return suspects;
    }

    /** Whether others were acknowledged since this one was last acknowledged. */
    private boolean isSilent(ProducerLife life, Suspect suspect, long now) {
        PartitionCounter counter = suspect.counter;
        return counter != null
                && counter.isStuck(now, quietNanos)
                && life.counters()
                        .all()
                        .anyMatch(other ->
                                other.progressedSince(counter.quietSince()) && !other.isStuck(now, quietNanos));
    }

    private String silence(Suspect suspect, @Nullable PartitionInfo info, long now) {
        Duration quiet = Duration.ofNanos(suspect.counter == null ? deliveryNanos : now - suspect.counter.quietSince());
        return "its leader, broker " + UnavailablePartitions.leaderOf(info) + ", has acknowledged nothing for "
                + quiet.toSeconds() + " s, with " + (info == null ? 0 : info.inSyncReplicas().length)
                + " replicas in sync";
    }

    private boolean othersWork(
            ProducerLife life, Map<String, List<PartitionInfo>> found, Set<TopicPartition> suspects, long now) {
        return oneHasLeader(found, suspects)
                || life.counters()
                        .all()
                        .anyMatch(
                                other -> other.progressedSince(now - deliveryNanos) && !other.isStuck(now, quietNanos))
                || oneOfAnyTopicHasLeader(suspects);
    }

    /** Everything in flight may go to one topic, so the other topics are described too. */
    private boolean oneOfAnyTopicHasLeader(Set<TopicPartition> suspects) {
        try {
            return oneHasLeader(lookup.allPartitions(), suspects);
        } catch (RuntimeException e) {
            log.debug("Kafka does not describe other topics.", e);
            return false;
        }
    }

    private boolean oneHasLeader(Map<String, List<PartitionInfo>> found, Set<TopicPartition> suspects) {
        return found.entrySet().stream()
                .anyMatch(topic -> topic.getValue().stream()
                        .filter(info -> !hasNoLeader(info))
                        .map(info -> new TopicPartition(topic.getKey(), info.partition()))
                        .anyMatch(partition -> !suspects.contains(partition) && away.answerFor(partition) == null));
    }
}
