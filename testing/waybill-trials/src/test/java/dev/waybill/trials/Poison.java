package dev.waybill.trials;

/** An event that cannot be delivered, and why. */
enum Poison {
    /** The topic takes no message of its size. */
    LARGE("small", "does not take a message so large"),
    UNROUTABLE("", "has no stored topic"),
    /** The topic may be seen, but not written. */
    FORBIDDEN("forbidden", "is forbidden to this client"),
    /** The topic may not even be seen. */
    HIDDEN("hidden", "is forbidden to this client"),
    MISSING("missing", "does not exist");

    /** Empty when it has none. */
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
