package dev.waybill.connect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.testkit.Await;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTaskContext;
import org.apache.kafka.connect.source.TransactionContext;
import org.apache.kafka.connect.storage.OffsetStorageReader;

/** Does to a task what a worker of Connect does: polls, sends, and commits records together with their offsets. One thread. */
final class Worker implements AutoCloseable {
    private final Map<String, String> configuration;
    private boolean transactional;
    private final Map<Map<String, ?>, Map<String, Object>> offsets = new ConcurrentHashMap<>();
    private final List<SourceRecord> committed = new ArrayList<>();
    private WaybillSourceTask task;
    private int commitsAsked;

    Worker(Map<String, String> configuration, boolean transactional) {
        this.configuration = configuration;
        this.transactional = transactional;
        restart();
    }

    /** Ends the task without committing what it has returned, and starts another. */
    void restart() {
        close();
        task = new WaybillSourceTask();
        task.initialize(new Context());
        task.start(ConfiguredStores.tasks(configuration).get(0));
    }

    /** @param transactions whether the worker makes transactions from now on */
    void restart(boolean transactions) {
        transactional = transactions;
        restart();
    }

    @Override
    public void close() {
        if (task != null) {
            task.stop();
        }
    }

    /** Polls until there are records. */
    List<SourceRecord> poll() {
        List<SourceRecord> records = new ArrayList<>();
        Await.until("records of the task", () -> {
            records.addAll(pollOnce());
            return !records.isEmpty();
        });
        return records;
    }

    List<SourceRecord> pollOnce() {
        try {
            List<SourceRecord> records = task.poll();
            if (records == null) {
                return List.of();
            }
            records.forEach(Worker::convert);
            return records;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Fails as a worker does, which then fails the task. */
    private static void convert(SourceRecord record) {
        ProducerRecord<Object, Object> converted = new ProducerRecord<>(
                record.topic(), record.kafkaPartition(), record.timestamp(), record.key(), record.value());
        assertThat(converted.topic()).isNotEmpty();
    }

    /** Polls and commits until so many records are committed. */
    void commitUntil(int records) {
        Await.until(() -> records + " committed records; there are " + committed.size(), () -> {
            commit(pollOnce());
            return committed.size() >= records;
        });
    }

    /** Commits the records together with the offset of the last one. */
    void commit(List<SourceRecord> records) {
        for (SourceRecord record : records) {
            @SuppressWarnings("unchecked")
            Map<String, Object> offset = (Map<String, Object>) record.sourceOffset();
            offsets.put(record.sourcePartition(), offset);
        }
        committed.addAll(records);
        records.forEach(this::tell);
    }

    void tell(SourceRecord record) {
        task.commitRecord(record, new RecordMetadata(new TopicPartition(record.topic(), 0), 0, 0, 0, 0, 0));
    }

    void forgetOffsets() {
        offsets.clear();
    }

    /** Partitions whose offsets are committed. */
    List<Map<String, ?>> partitions() {
        return List.copyOf(offsets.keySet());
    }

    /** How often the task has asked for the end of the transaction. */
    int commitsAsked() {
        return commitsAsked;
    }

    List<SourceRecord> committed() {
        return committed;
    }

    List<Object> values() {
        return committed.stream().map(SourceRecord::value).toList();
    }

    private final class Context implements SourceTaskContext, OffsetStorageReader, TransactionContext {
        @Override
        public Map<String, String> configs() {
            return configuration;
        }

        @Override
        public OffsetStorageReader offsetStorageReader() {
            return this;
        }

        @Override
        public TransactionContext transactionContext() {
            return transactional ? this : null;
        }

        @Override
        public PluginMetrics pluginMetrics() {
            throw new NoSuchMethodError("as in workers before 4.1");
        }

        @Override
        public <T> Map<String, Object> offset(Map<String, T> partition) {
            return offsets.get(partition);
        }

        @Override
        public <T> Map<Map<String, T>, Map<String, Object>> offsets(Collection<Map<String, T>> partitions) {
            Map<Map<String, T>, Map<String, Object>> found = new HashMap<>();
            partitions.forEach(partition -> found.put(partition, offset(partition)));
            return found;
        }

        @Override
        public void commitTransaction() {
            commitsAsked++;
        }

        @Override
        public void commitTransaction(SourceRecord record) {
            throw new IllegalStateException("A poll is a transaction.");
        }

        @Override
        public void abortTransaction() {
            throw new IllegalStateException("Aborting commits the offsets.");
        }

        @Override
        public void abortTransaction(SourceRecord record) {
            throw new IllegalStateException("Aborting commits the offsets.");
        }
    }
}
