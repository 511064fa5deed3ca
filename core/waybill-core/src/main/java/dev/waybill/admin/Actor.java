package dev.waybill.admin;

/**
 * Who does something, and why: both go into the audit.
 *
 * @param who a person's name, or a job's
 * @param why in their own words; may be empty, except where something is given up for good
 */
public record Actor(String who, String why) {
    public Actor {
        if (who.isBlank()) {
            throw new IllegalArgumentException("Who does this? Give a name for the audit.");
        }
    }

    /** As it is written down somewhere. Whoever wrote it there may have given no name, and that hides nothing. */
    public static Actor recorded(String who, String why) {
        return new Actor(who.isBlank() ? "(no name)" : who, why);
    }

    /** For what cannot be undone. */
    public Actor requireReason() {
        if (why.isBlank()) {
            throw new IllegalArgumentException("Why? Discarded events are never published: " + who
                    + " has to give a reason for the audit. Nothing was changed.");
        }
        return this;
    }
}
