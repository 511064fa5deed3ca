package dev.waybill.connect;

import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * The record of an event, which knows whom to tell when it is committed. Connect keeps the records of a transaction in a map;
 * comparing them by identity keeps that cheap, however large they are.
 */
final class EventRecord extends SourceRecord {
    private final Runnable toTell;
    private final AtomicBoolean told = new AtomicBoolean();

    /** @param form topic, key, value, headers and time of the record */
    EventRecord(SourceRecord form, Map<String, ?> partition, Map<String, ?> offset, Runnable toTell) {
        super(
                partition,
                offset,
                form.topic(),
                form.kafkaPartition(),
                form.keySchema(),
                form.key(),
                form.valueSchema(),
                form.value(),
                form.timestamp(),
                form.headers());
        this.toTell = toTell;
    }

    /** Connect has committed or dropped it. Idempotent; any thread. */
    void committed() {
        if (told.compareAndSet(false, true)) {
            toTell.run();
        }
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }
}
