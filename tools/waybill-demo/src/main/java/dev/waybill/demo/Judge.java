package dev.waybill.demo;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads all topics from the beginning and compares them with the database, event by event. */
final class Judge {
    private final Shop shop;

    private record Committed(String key, long revision) {}

    Judge(Shop shop) {
        this.shop = shop;
    }

    Verdict judge() throws SQLException {
        Map<UUID, Committed> committed = committed();
        Set<UUID> seen = new HashSet<>();
        Map<String, Long> highest = new HashMap<>();
        long duplicates = 0;
        long ghosts = 0;
        long inversions = 0;
        for (ConsumerRecord<byte[], byte[]> record : everything()) {
            UUID id = Consumer.eventId(record);
            Committed event = committed.get(id);
            if (event == null) {
                ghosts++;
            } else if (!seen.add(id)) {
                duplicates++;
            } else {
                Long before = highest.put(record.topic() + " " + event.key(), event.revision());
                inversions += before != null && before > event.revision() ? 1 : 0;
            }
        }
        return new Verdict(
                committed.size(), seen.size(), committed.size() - seen.size(), ghosts, duplicates, inversions);
    }

    private Map<UUID, Committed> committed() throws SQLException {
        Map<UUID, Committed> events = new HashMap<>();
        try (Connection connection = shop.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.setFetchSize(10_000);
            try (ResultSet row = statement.executeQuery(
                    "select id, aggregate_id, aggregate_version from waybill.event where type <> '"
                            + Troubles.POISON_TYPE + "'")) {
                while (row.next()) {
                    events.put(row.getObject(1, UUID.class), new Committed(row.getString(2), row.getLong(3)));
                }
            }
        }
        return events;
    }

    private List<ConsumerRecord<byte[], byte[]>> everything() {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", shop.bootstrapServers()),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = new ArrayList<>();
            consumer.listTopics().forEach((topic, infos) -> {
                if (topic.startsWith("order.")) {
                    infos.forEach(info -> partitions.add(new TopicPartition(topic, info.partition())));
                }
            });
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                consumer.poll(Duration.ofMillis(500)).forEach(records::add);
            }
        }
        return records;
    }
}
