package dev.waybill.spi;

/**
 * The guarantees of a destination, which determine how many messages of a key can be in flight.
 *
 * @param order how it keeps order within a key
 * @param maxMessageBytes size of the largest message; larger ones are refused before they are sent
 * @param headers which headers it can carry; a message with others is refused before it is sent
 */
public record Guarantees(KeyOrder order, long maxMessageBytes, HeaderForm headers) {

    /** With headers of any bytes. */
    public Guarantees(KeyOrder order, long maxMessageBytes) {
        this(order, maxMessageBytes, HeaderForm.BYTES);
    }

    /** How a destination keeps order within a key. */
    public enum KeyOrder {
        /**
         * Any number of messages of a key may be in flight; none overtakes another. Messages after a {@link Delivery.Retry} or {@link
         * Delivery.InDoubt} of their key are {@link Delivery.Behind}, until the caller has seen that answer ({@link Seen}).
         */
        KEPT_IN_FLIGHT,
        /** Later messages of a key can overtake a failed one, so only one of a key may be in flight. */
        ONE_AT_A_TIME
    }

    /** Which headers a destination can carry. */
    public enum HeaderForm {
        /** Any bytes. */
        BYTES,
        /** Text of a limited length, each name once. */
        TEXT
    }
}
