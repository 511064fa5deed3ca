package dev.waybill.format;

import dev.waybill.spi.StoredEvent;

/**
 * Turns an event into the bytes and headers of a message. The payload's bytes are never parsed and written again. Safe for use
 * by many threads.
 *
 * <p>Every message has the headers of its {@link HeaderStyle}, followed by the event's own headers. An own header with the name
 * of one that the format writes is left out.
 */
public interface Format {

    /**
     * @throws FormatException if the event cannot have this format; the message says why and what to do
     */
    Formatted format(StoredEvent event);

    /**
     * A JSON object around the payload:
     *
     * <pre>{@code
     * {"eventId":"…","timestamp":"2026-11-15T08:30:00.123456Z","eventType":"…","version":1,"source":"…","data":…,
     *  "metadata":{"traceId":"…","correlationId":"…","idempotencyKey":"…","userId":"…"}}
     * }</pre>
     *
     * <p>{@code data} is the payload; one that is not JSON is refused. {@code timestamp} is when the event was appended, to
     * the microsecond, in UTC. The metadata come from the event's own headers: {@code correlationId}, {@code userId} and
     * {@code idempotencyKey} from those of that name, {@code traceId} from the second field of {@code traceparent} or else
     * from {@code traceId}. The idempotency key defaults to the event's id; the others are omitted if absent.
     *
     * @param source name of the service that appends the events
     */
    static Format envelope(String source) {
        return new Envelope(source);
    }

    /**
     * The payload alone, with the content type that the application declared, and the headers of {@link HeaderNames}. {@code
     * format: stored} in a configuration file means the same.
     */
    static Format raw() {
        return raw(HeaderStyle.HYPHENS);
    }

    /** The payload alone; on Google Pub/Sub with {@link HeaderStyle#ATTRIBUTES}. */
    static Format raw(HeaderStyle style) {
        return new Raw(style);
    }

    /**
     * A JSON object with the payload as its last field:
     *
     * <pre>{@code
     * {"event_id":"evt-123-456","event_type":"…","aggregate_type":"RESTAURANT","aggregate_id":5,"payload":…}
     * }</pre>
     *
     * <p>{@code aggregate_id} is a number if the store keeps a number, otherwise a string. A payload that is not JSON is refused.
     */
    static Format notification() {
        return new Notification();
    }
}
