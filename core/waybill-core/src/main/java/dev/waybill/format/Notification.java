package dev.waybill.format;

import dev.waybill.spi.StoredEvent;

/** Five fields, of which the payload is the last. An aggregate id that is a number in the store is a number here. */
final class Notification implements Format {
    private static final byte[] ID = Bytes.ascii("{\"event_id\":\"");
    private static final byte[] TYPE = Bytes.ascii("\",\"event_type\":\"");
    private static final byte[] AGGREGATE_TYPE = Bytes.ascii("\",\"aggregate_type\":\"");
    private static final byte[] NUMERIC_ID = Bytes.ascii("\",\"aggregate_id\":");
    private static final byte[] TEXT_ID = Bytes.ascii("\",\"aggregate_id\":\"");
    private static final byte[] PAYLOAD_AFTER_NUMBER = Bytes.ascii(",\"payload\":");
    private static final byte[] PAYLOAD_AFTER_TEXT = Bytes.ascii("\",\"payload\":");
    private static final byte[] END = Bytes.ascii("}");

    @Override
    public Formatted format(StoredEvent event) {
        byte[] payload = StoredJson.of(event, "notification");
        boolean numeric = event.numericAggregateId();
        byte[] value = Bytes.join(
                ID,
                Bytes.escaped(event.id().bytes()),
                TYPE,
                Bytes.escaped(event.type().bytes()),
                AGGREGATE_TYPE,
                Bytes.escaped(event.aggregateType().bytes()),
                numeric ? NUMERIC_ID : TEXT_ID,
                numeric ? number(event) : Bytes.escaped(event.aggregateId().bytes()),
                numeric ? PAYLOAD_AFTER_NUMBER : PAYLOAD_AFTER_TEXT,
                payload,
                END);
        return new Formatted(
                value, OwnHeaders.of(event).onMessage(event, StoredJson.CONTENT_TYPE, HeaderStyle.HYPHENS));
    }

    /** A numeric column can hold values that are not JSON numbers, such as NaN. */
    private static byte[] number(StoredEvent event) {
        byte[] id = event.aggregateId().bytes();
        if (!Bytes.isNumber(id)) {
            throw new FormatException("Event " + event.id() + " of type " + event.type()
                    + " has an aggregate id that its store keeps as a number but that is not a number in JSON ("
                    + id.length
                    + " bytes): correct the row's aggregate id, then requeue the event.");
        }
        return id;
    }

    @Override
    public String toString() {
        return "notification";
    }
}
