package dev.waybill.spi;

/** What became of a message that was handed to a destination. */
public sealed interface Delivery {
    Delivered DELIVERED = new Delivered();
    Behind BEHIND = new Behind();

    /** For a switch that names every outcome: whoever judges a delivery decides about each of them. */
    enum Kind {
        DELIVERED,
        RETRY,
        BEHIND,
        REFUSED,
        IN_DOUBT,
        UNAVAILABLE
    }

    Kind kind();

    /** Why it is not delivered, in words for a person. */
    String error();

    /** The destination has it for good. */
    record Delivered() implements Delivery {
        @Override
        public Kind kind() {
            return Kind.DELIVERED;
        }

        @Override
        public String error() {
            return "it was delivered";
        }
    }

    /** This message failed and may go through later. */
    record Retry(String error) implements Delivery {
        @Override
        public Kind kind() {
            return Kind.RETRY;
        }
    }

    /** This message was not sent, because an earlier one of its key is to be retried: it goes after that one. Counts nothing. */
    record Behind() implements Delivery {
        @Override
        public Kind kind() {
            return Kind.BEHIND;
        }

        @Override
        public String error() {
            return "an earlier message of its key is to be sent first";
        }
    }

    /** A refusal of a message that the destination cannot carry, wherever it would go. */
    static Refused unfit(String error) {
        return new Refused(error, true);
    }

    /**
     * This message will never go through.
     *
     * @param unfit whether that is because of what is in the message, wherever it goes: it is too large, or it has more or other
     *     headers than the destination can carry. The same with less in it may go through. Never so for a place that is missing or
     *     forbidden
     */
    record Refused(String error, boolean unfit) implements Delivery {
        public Refused(String error) {
            this(error, false);
        }

        @Override
        public Kind kind() {
            return Kind.REFUSED;
        }
    }

    /**
     * Only the place this message goes to (a partition) is away. It may have arrived or not: it is sent again later, what
     * follows in its key waits behind it, and nothing is counted against it. Other places go on.
     */
    record InDoubt(String error) implements Delivery {
        @Override
        public Kind kind() {
            return Kind.IN_DOUBT;
        }
    }

    /** The broker is at fault, not the message: count nothing and back off as a whole. */
    record Unavailable(String error) implements Delivery {
        @Override
        public Kind kind() {
            return Kind.UNAVAILABLE;
        }
    }
}
