package dev.waybill.jdbc.kernel;

import dev.waybill.admin.Actor;

/** Text of an error for storage. */
public final class ErrorText {
    /** Length of the column in the side table. */
    public static final int SIDE_LENGTH = 2_000;

    /** How the note of a discarded event begins. */
    public static final String DISCARDED = "Discarded by ";

    private ErrorText() {}

    /**
     * Truncates to this many characters, never inside a surrogate pair, and removes NUL, which PostgreSQL cannot store. Counts
     * UTF-16 units as Java and H2 do; other databases never count more.
     */
    public static String cut(String error, int length) {
        String storable = error.replace('\0', ' ');
        if (storable.length() <= length) {
            return storable;
        }
        int end = length - 1;
        return storable.substring(0, end > 0 && Character.isHighSurrogate(storable.charAt(end - 1)) ? end - 1 : end)
                + "…";
    }

    /** The note on an event that an operator discarded. */
    public static String discarded(Actor by) {
        return DISCARDED + by.who() + " (" + by.why() + ")";
    }
}
