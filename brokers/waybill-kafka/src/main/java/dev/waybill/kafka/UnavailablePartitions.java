package dev.waybill.kafka;

import dev.waybill.spi.Delivery.InDoubt;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The unavailable partitions, over all producers of a destination. Nothing is sent to them; while there are any, the lookup's
 * thread asks Kafka whether they are available again. A partition without a leader is available when it has one. A partition
 * whose leader acknowledges nothing is available when the leader changes or more replicas are in sync; since neither may ever
 * happen, it is also tried again after a while, and after longer each time that fails.
 */
final class UnavailablePartitions {
    private static final Logger log = LoggerFactory.getLogger(UnavailablePartitions.class);
    private static final Duration PROBE = Duration.ofMillis(500);
    private static final long FIRST_TRIAL_NANOS = Duration.ofSeconds(15).toNanos();
    private static final long LONGEST_WAIT_NANOS = Duration.ofSeconds(60).toNanos();
    private static final long REMEMBERED_NANOS = Duration.ofMinutes(10).toNanos();

    private final PartitionLookup lookup;
    private final Map<TopicPartition, Outage> away = new ConcurrentHashMap<>();
    /** State of partitions that acknowledged nothing. */
    private final Map<TopicPartition, Trial> trials = new ConcurrentHashMap<>();

    private boolean probing;

    UnavailablePartitions(PartitionLookup lookup) {
        this.lookup = lookup;
    }

    /**
     * @param answer for messages to it
     * @param leader the broker that leads it without acknowledging, or -1
     * @param inSync how many replicas were in sync
     */
    record Outage(InDoubt answer, int leader, int inSync) {
        static Outage of(InDoubt answer, @Nullable PartitionInfo partition) {
            return new Outage(answer, leaderOf(partition), partition == null ? 0 : partition.inSyncReplicas().length);
        }

        private boolean hasNoLeader() {
            return leader == Node.noNode().id();
        }
    }

    /**
     * @param atNanos when it was declared unavailable, tried again, or found slow
     * @param waitNanos how long until it is tried again
     * @param times how often it was declared unavailable
     */
    private record Trial(long atNanos, long waitNanos, int times) {
        Trial at(long nanoTime) {
            return new Trial(nanoTime, waitNanos, times);
        }
    }

    static int leaderOf(@Nullable PartitionInfo partition) {
        return partition == null || partition.leader() == null
                ? Node.noNode().id()
                : partition.leader().id();
    }

    boolean isEmpty() {
        return away.isEmpty();
    }

    /** The answer for a message to this partition; null if it is available. */
    @Nullable InDoubt answerFor(TopicPartition partition) {
        Outage found = away.get(partition);
        return found == null ? null : found.answer;
    }

    /** How often it was recently declared unavailable because it acknowledged nothing. */
    int timesSilent(TopicPartition partition) {
        Trial trial = trials.get(partition);
        return trial == null || lookup.nanoTime() - trial.atNanos >= REMEMBERED_NANOS ? 0 : trial.times;
    }

    /** It is still slow after an earlier trial: extends how long that is remembered. */
    void isSlow(TopicPartition partition) {
        trials.computeIfPresent(partition, (p, trial) -> trial.at(lookup.nanoTime()));
    }

    synchronized void add(Map<TopicPartition, Outage> found) {
        found.forEach((partition, why) -> {
            log.warn("Kafka: {}. Its events wait; other partitions continue.", why.answer.error());
            if (!why.hasNoLeader()) {
                trials.put(partition, nextTrial(partition));
            }
            away.put(partition, why);
        });
        if (!probing) {
            probing = true;
            lookup.later(PROBE, this::probe);
        }
    }

    private Trial nextTrial(TopicPartition partition) {
        int times = timesSilent(partition);
        long wait = FIRST_TRIAL_NANOS << Math.min(times, 10);
        return new Trial(lookup.nanoTime(), Math.min(wait, LONGEST_WAIT_NANOS), times + 1);
    }

    /** Kafka as a whole is or was unavailable, so the state of single partitions is out of date. */
    synchronized void clear() {
        away.clear();
        trials.clear();
    }

    private void probe() {
        try {
            away.keySet().stream()
                    .map(TopicPartition::topic)
                    .distinct()
                    .toList()
                    .forEach(this::probe);
        } finally {
            goOnProbing();
        }
    }

    /** Each topic separately: one that Kafka does not describe must not block the others. */
    private void probe(String topic) {
        try {
            takeBack(topic, lookup.partitionsOf(topic));
        } catch (RetriableException | WakeupException | InterruptException e) {
            log.debug("Kafka did not answer whether partitions of topic {} are available.", topic, e);
        } catch (RuntimeException e) {
            // For example because it is forbidden. The next send to it reports the reason.
            log.debug("Kafka does not describe the partitions of topic {}.", topic, e);
            takeBack(topic, List.of());
        }
    }

    private synchronized void goOnProbing() {
        probing = !away.isEmpty();
        if (probing) {
            lookup.later(PROBE, this::probe);
        }
    }

    private void takeBack(String topic, List<PartitionInfo> found) {
        long now = lookup.nanoTime();
        away.forEach((partition, why) -> {
            if (partition.topic().equals(topic) && isBack(partition, why, find(found, partition), now)) {
                log.info("Kafka: events are sent to partition {} again.", partition);
                trials.computeIfPresent(partition, (p, trial) -> trial.at(now));
                away.remove(partition);
            }
        });
    }

    static @Nullable PartitionInfo find(List<PartitionInfo> found, TopicPartition partition) {
        for (PartitionInfo info : found) {
            if (info.partition() == partition.partition()) {
                return info;
            }
        }
        return null;
    }

    private boolean isBack(TopicPartition partition, Outage why, @Nullable PartitionInfo found, long now) {
        if (found == null) {
            // The topic was deleted: the next send to it reports that.
            return true;
        }
        int leader = leaderOf(found);
        if (leader == Node.noNode().id()) {
            return false;
        }
        Trial trial = trials.get(partition);
        return why.hasNoLeader()
                || leader != why.leader
                || found.inSyncReplicas().length > why.inSync
                || (trial != null && now - trial.atNanos >= trial.waitNanos);
    }
}
