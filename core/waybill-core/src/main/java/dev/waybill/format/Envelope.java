package dev.waybill.format;

import dev.waybill.spi.StoredEvent;
import java.nio.charset.StandardCharsets;

/** The JSON object around the payload. Its constant parts are created once. */
final class Envelope implements Format {
    private static final byte[] ID = Bytes.ascii("{\"eventId\":\"");
    private static final byte[] TIMESTAMP = Bytes.ascii("\",\"timestamp\":\"");
    private static final byte[] TYPE = Bytes.ascii("\",\"eventType\":\"");
    private static final byte[] VERSION = Bytes.ascii("\",\"version\":");
    private static final byte[] METADATA = Bytes.ascii(",\"metadata\":{");
    private static final byte[] KEY = Bytes.ascii("\"idempotencyKey\":\"");
    private static final byte[] END = Bytes.ascii("}}");
    private static final byte[] QUOTE = Bytes.ascii("\"");

    private final String source;
    private final byte[] sourceAndData;

    Envelope(String source) {
        if (source.isBlank()) {
            throw new IllegalArgumentException(
                    "The envelope's source is blank: give the name of the service that appends the events, such as"
                            + " \"order-service\".");
        }
        this.source = source;
        this.sourceAndData = Bytes.join(
                Bytes.ascii(",\"source\":\""),
                Bytes.escaped(source.getBytes(StandardCharsets.UTF_8)),
                Bytes.ascii("\",\"data\":"));
    }

    @Override
    public Formatted format(StoredEvent event) {
        byte[] payload = StoredJson.of(event, "envelope");
        byte[] id = Bytes.escaped(event.id().bytes());
        byte[] type = Bytes.escaped(event.type().bytes());
        byte[] time = IsoTime.of(event.createdAt());
        byte[] version = Bytes.number(event.version());
        OwnHeaders own = OwnHeaders.of(event);
        Metadata meta = Metadata.of(own, id);
        byte[] value = Bytes.join(
                ID,
                id,
                TIMESTAMP,
                time,
                TYPE,
                type,
                VERSION,
                version,
                sourceAndData,
                payload,
                METADATA,
                meta.before,
                KEY,
                meta.idempotencyKey,
                QUOTE,
                meta.after,
                END);
        return new Formatted(value, own.onMessage(event, StoredJson.CONTENT_TYPE, HeaderStyle.HYPHENS));
    }

    @Override
    public String toString() {
        return "envelope from " + source;
    }

    /** The members before the idempotency key, the key, and the members after it. */
    private record Metadata(byte[] before, byte[] idempotencyKey, byte[] after) {

        static Metadata of(OwnHeaders own, byte[] id) {
            if (own.isEmpty()) {
                return new Metadata(Bytes.NONE, id, Bytes.NONE);
            }
            byte[] trace = TraceId.of(own)
                    .map(value -> member("\"traceId\":\"", value, "\","))
                    .orElse(Bytes.NONE);
            byte[] correlation = own.find("correlationId")
                    .map(value -> member("\"correlationId\":\"", value, "\","))
                    .orElse(Bytes.NONE);
            byte[] key = own.find("idempotencyKey").map(Bytes::escaped).orElse(id);
            byte[] user = own.find("userId")
                    .map(value -> member(",\"userId\":\"", value, "\""))
                    .orElse(Bytes.NONE);
            return new Metadata(Bytes.join(trace, correlation), key, user);
        }

        private static byte[] member(String before, byte[] value, String after) {
            return Bytes.join(Bytes.ascii(before), Bytes.escaped(value), Bytes.ascii(after));
        }
    }
}
