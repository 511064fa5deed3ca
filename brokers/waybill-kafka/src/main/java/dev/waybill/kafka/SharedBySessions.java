package dev.waybill.kafka;

import java.util.function.Supplier;

/** What all sessions of one destination share. */
record SharedBySessions(
        Supplier<ProducerLife> lives,
        KafkaErrors errors,
        TopicLookup lookup,
        AwayPartitions away,
        PartitionWatch watch) {}
