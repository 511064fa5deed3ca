package dev.waybill.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;

/** Partitions and a clock as defined by a test. Every topic has three partitions. */
final class ScriptedPartitions implements PartitionLookup {
    private final Map<String, List<PartitionInfo>> topics = new HashMap<>();
    private final Map<String, RuntimeException> failing = new HashMap<>();
    private final List<Runnable> tasks = new ArrayList<>();
    private long now = System.nanoTime();

    /** All partitions are led by broker 1. */
    void topic(String topic) {
        for (int partition = 0; partition < 3; partition++) {
            say(topic, partition, 1, 2);
        }
    }

    /** -1 is no leader. */
    void say(String topic, int partition, int leader, int inSync) {
        Node[] replicas = IntStream.range(0, inSync)
                .mapToObj(i -> new Node(1 + i, "localhost", 9000 + i))
                .toArray(Node[]::new);
        Node node = leader < 0 ? Node.noNode() : new Node(leader, "localhost", 9000);
        List<PartitionInfo> all = topics.computeIfAbsent(topic, t -> new ArrayList<>());
        all.removeIf(info -> info.partition() == partition);
        all.add(new PartitionInfo(topic, partition, node, replicas, replicas));
    }

    void fail(String topic, RuntimeException error) {
        failing.put(topic, error);
    }

    void answer(String topic) {
        failing.remove(topic);
    }

    /** Runs the delayed tasks. */
    void pass(Duration time) {
        now += time.toNanos();
        List<Runnable> due = List.copyOf(tasks);
        tasks.clear();
        due.forEach(Runnable::run);
    }

    @Override
    public List<PartitionInfo> partitionsOf(String topic) {
        RuntimeException error = failing.get(topic);
        if (error != null) {
            throw error;
        }
        return List.copyOf(topics.getOrDefault(topic, List.of()));
    }

    @Override
    public Map<String, List<PartitionInfo>> allPartitions() {
        if (!failing.isEmpty()) {
            throw failing.values().iterator().next();
        }
        return Map.copyOf(topics);
    }

    @Override
    public void later(Duration wait, Runnable task) {
        tasks.add(task);
    }

    @Override
    public long nanoTime() {
        return now;
    }
}
