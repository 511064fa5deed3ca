package dev.waybill.spi;

/** The destination's answer for one message. */
public sealed interface Delivery {
    Delivered DELIVERED = new Delivered();
    Behind BEHIND = new Behind();

    /** For a switch that must cover every outcome. */
    enum Kind {
        DELIVERED,
        RETRY,
        BEHIND,
        REFUSED,
        IN_DOUBT,
        UNAVAILABLE
    }

    Kind kind();

    /** Why it was not delivered, for operators. */
    String error();

    /** The destination has acknowledged it. */
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

    /** The message failed; a retry may succeed. */
    record Retry(String error) implements Delivery {
        @Override
        public Kind kind() {
            return Kind.RETRY;
        }
    }

    /** The message was not sent, because an earlier one of its key must be retried first. No attempt is counted. */
    record Behind() implements Delivery {
        @Override
        public Kind kind() {
            return Kind.BEHIND;
        }

        @Override
        public String error() {
            return "an earlier message of its key must be sent first";
        }
    }

    /** A refusal of a message that the destination cannot carry, whatever its topic. */
    static Refused unfit(String error) {
        return new Refused(error, true);
    }

    /**
     * The message can never be delivered.
     *
     * @param unfit whether the cause is the message itself, whatever its topic: it is too large, or has more or other headers than
     *     the destination can carry. A smaller message may be accepted. False for a missing or forbidden topic
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
     * Only the message's target (a partition) is unavailable. Whether the message has arrived is unknown: it is sent again later,
     * later messages of its key wait behind it, and no attempt is counted. Other partitions are not affected.
     */
    record InDoubt(String error) implements Delivery {
        @Override
        public Kind kind() {
            return Kind.IN_DOUBT;
        }
    }

    /** The broker is unavailable: back off as a whole, and count no attempts. */
    record Unavailable(String error) implements Delivery {
        @Override
        public Kind kind() {
            return Kind.UNAVAILABLE;
        }
    }
}
