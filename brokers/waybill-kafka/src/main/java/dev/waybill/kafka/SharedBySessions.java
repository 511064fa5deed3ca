package dev.waybill.kafka;

import java.util.function.Supplier;

/** Shared by all sessions of one destination. */
record SharedBySessions(
        Supplier<ProducerLife> lives,
        KafkaErrors errors,
        TopicLookup lookup,
        UnavailablePartitions away,
        PartitionWatch watch) {}
