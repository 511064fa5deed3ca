package dev.waybill.format;

import dev.waybill.spi.StoredEvent;

/**
 * How an event becomes the bytes and headers of a message. The payload's bytes are passed on as they are stored, never
 * read and written again. Safe for use by many threads.
 *
 * <p>Every message carries the headers of its {@link HeaderStyle} and the event's own headers after them. An own header with
 * the name of one that the format writes is left out: the event itself is right about its id, its type and its content.
 */
public interface Format {

    /**
     * @throws FormatException when this event can never take this form; the message says why and what to do
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
     * from {@code traceId}. The idempotency key is the event's id unless given; the others are left out when not given.
     *
     * @param source the name of the service the events come from
     */
    static Format envelope(String source) {
        return new Envelope(source);
    }

    /**
     * The payload alone, with the content type the application declared, and the headers of {@link HeaderNames}. Also for
     * payloads that are finished messages, which {@code format: stored} means in a configuration file.
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
     * <p>{@code aggregate_id} is a number where the store keeps a number, else a string. A payload that is not JSON is refused.
     */
    static Format notification() {
        return new Notification();
    }
}
