package dev.waybill.kafka;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.metrics.MetricsReporter;

/** Throws an Error on a thread of choice, from the inside of Kafka's client: when it registers a metric of a topic or node. */
public final class ErrorReporter implements MetricsReporter {
    static volatile String failOn = "nobody";
    private static final Set<String> FAILED = ConcurrentHashMap.newKeySet();

    static boolean hasFailed(String topic) {
        return FAILED.contains(topic);
    }

    @Override
    public void metricChange(KafkaMetric metric) {
        String topic = metric.metricName().tags().getOrDefault("topic", "");
        String node = metric.metricName().tags().getOrDefault("node-id", "");
        boolean ofTopics = failOn.startsWith("kafka-producer");
        if (Thread.currentThread().getName().startsWith(failOn) && !(ofTopics ? topic : node).isEmpty()) {
            FAILED.add(topic);
            throw new AssertionError("thrown for the test");
        }
    }

    @Override
    public void init(List<KafkaMetric> metrics) {
        // It waits for the metrics to come.
    }

    @Override
    public void metricRemoval(KafkaMetric metric) {
        // It keeps none.
    }

    @Override
    public void close() {
        // It holds nothing.
    }

    @Override
    public void configure(Map<String, ?> configs) {
        // It has no settings.
    }
}
