package dev.waybill.trials;

/** An event that cannot be delivered, and why. */
enum Poison {
    /** The topic does not accept messages of its size. */
    LARGE("small", "does not accept a message this large"),
    UNROUTABLE("", "has no stored topic"),
    /** The topic may be described, but not written to. */
    FORBIDDEN("forbidden", "is forbidden to this client"),
    /** The topic may not be described. */
    HIDDEN("hidden", "is forbidden to this client"),
    MISSING("missing", "does not exist");

    /** Empty if the event has none. */
    final String topic;

    final String reason;

    Poison(String topic, String reason) {
        this.topic = topic;
        this.reason = reason;
    }

    /** The event of the same key behind it. */
    String follower() {
        return "after-" + name();
    }
}
