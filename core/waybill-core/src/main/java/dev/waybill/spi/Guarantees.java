package dev.waybill.spi;

/**
 * What a destination keeps, and so how much of one key may be out at once.
 *
 * @param order how it keeps order within a key
 * @param maxMessageBytes the largest message it takes; larger ones are refused before they are sent
 * @param headers which headers it carries; a message with others is refused before it is sent
 */
public record Guarantees(KeyOrder order, long maxMessageBytes, HeaderForm headers) {

    /** With headers of any bytes. */
    public Guarantees(KeyOrder order, long maxMessageBytes) {
        this(order, maxMessageBytes, HeaderForm.BYTES);
    }

    /** How a destination keeps order within a key. */
    public enum KeyOrder {
        /**
         * Any number of messages of a key may be in flight; none overtakes another. What follows a {@link Delivery.Retry} or
         * {@link Delivery.InDoubt} of its key is {@link Delivery.Behind}, until the caller has seen it ({@link Seen}).
         */
        KEPT_IN_FLIGHT,
        /** A failure lets later messages of the key pass: only one of a key may be in flight. */
        ONE_AT_A_TIME
    }

    /** Which headers a destination carries. */
    public enum HeaderForm {
        /** Any bytes. */
        BYTES,
        /** Text of a limited length, each name once. */
        TEXT
    }
}
