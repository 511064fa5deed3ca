package dev.waybill.format;

/**
 * The names of the headers on a message of {@link HeaderStyle#HYPHENS}. They are part of what consumers rely on and do not
 * change.
 */
public final class HeaderNames {
    /** The event's id: the same every time the event is sent. */
    public static final String EVENT_ID = "event-id";

    public static final String EVENT_TYPE = "event-type";

    /** What the body of the message is. */
    public static final String CONTENT_TYPE = "content-type";

    /** W3C Trace Context, when the event was appended with it. */
    public static final String TRACEPARENT = "traceparent";

    /** On a dead letter: the topic its message came from. */
    public static final String DEAD_LETTER_TOPIC = "dead-letter-topic";

    /** On a dead letter: where its message stood there. */
    public static final String DEAD_LETTER_PLACE = "dead-letter-place";

    private HeaderNames() {}
}
