package dev.waybill.format;

/**
 * Names of the headers of {@link HeaderStyle#HYPHENS}. Consumers depend on them, so they do not change.
 */
public final class HeaderNames {
    /** The event's id; the same whenever the event is sent. */
    public static final String EVENT_ID = "event-id";

    public static final String EVENT_TYPE = "event-type";

    /** Content type of the body. */
    public static final String CONTENT_TYPE = "content-type";

    /** W3C Trace Context, if the event was appended with it. */
    public static final String TRACEPARENT = "traceparent";

    /** On a dead letter: the topic of its message. */
    public static final String DEAD_LETTER_TOPIC = "dead-letter-topic";

    /** On a dead letter: the position of its message in that topic. */
    public static final String DEAD_LETTER_PLACE = "dead-letter-place";

    private HeaderNames() {}
}
