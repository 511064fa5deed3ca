package dev.waybill.admin;

/**
 * Who does something, and why: both go into the audit.
 *
 * @param who a person's name, or a job's
 * @param why in their own words; may be empty
 */
public record Actor(String who, String why) {
    public Actor {
        if (who.isBlank()) {
            throw new IllegalArgumentException("Who does this? Give a name for the audit.");
        }
    }
}
