package dev.waybill.admin;

/**
 * Who changes something, and why, for the audit.
 *
 * @param who name of a person or a job
 * @param why the reason; required only for changes that cannot be undone
 */
public record Actor(String who, String why) {
    public Actor {
        if (who.isBlank()) {
            throw new IllegalArgumentException(
                    "The audit needs a name: give the name of the person or job that makes this change.");
        }
    }

    /** An actor as recorded by others, possibly without a name. */
    public static Actor recorded(String who, String why) {
        return new Actor(who.isBlank() ? "(no name)" : who, why);
    }

    /** For changes that cannot be undone. */
    public Actor requireReason() {
        if (why.isBlank()) {
            throw new IllegalArgumentException(
                    "Discarding needs a reason, because discarded events are never published: " + who
                            + " must give one for the audit. Nothing was changed.");
        }
        return this;
    }
}
