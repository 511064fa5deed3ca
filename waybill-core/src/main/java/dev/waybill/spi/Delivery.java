package dev.waybill.spi;

/** What became of a message that was handed to a destination. */
public sealed interface Delivery {
    Delivered DELIVERED = new Delivered();
    Behind BEHIND = new Behind();

    /** The destination has it for good. */
    record Delivered() implements Delivery {}

    /** This message failed and may go through later. */
    record Retry(String error) implements Delivery {}

    /** This message was not sent, because an earlier one of its key is to be retried: it goes after that one. Counts nothing. */
    record Behind() implements Delivery {}

    /** This message will never go through. */
    record Refused(String error) implements Delivery {}

    /**
     * Only the place this message goes to (a partition) is away. It may have arrived or not: it is sent again later, what
     * follows in its key waits behind it, and nothing is counted against it. Other places go on.
     */
    record InDoubt(String error) implements Delivery {}

    /** The broker is at fault, not the message: count nothing and back off as a whole. */
    record Unavailable(String error) implements Delivery {}
}
