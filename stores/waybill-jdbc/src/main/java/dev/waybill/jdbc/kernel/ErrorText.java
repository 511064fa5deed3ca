package dev.waybill.jdbc.kernel;

import dev.waybill.admin.Actor;

/** An error as it is stored. */
public final class ErrorText {
    /** What the side table takes. */
    public static final int SIDE_LENGTH = 2_000;

    /** How the note of a discarded event begins. */
    public static final String DISCARDED = "Discarded by ";

    private ErrorText() {}

    /**
     * At most so many characters, never half of one, and without the one that PostgreSQL cannot store. Counted as Java and H2
     * do, which is never less than others count.
     */
    public static String cut(String error, int length) {
        String storable = error.replace('\0', ' ');
        if (storable.length() <= length) {
            return storable;
        }
        int end = length - 1;
        return storable.substring(0, Character.isHighSurrogate(storable.charAt(end - 1)) ? end - 1 : end) + "…";
    }

    /** The note on an event that an operator discarded. */
    public static String discarded(Actor by) {
        return DISCARDED + by.who() + " (" + by.why() + ")";
    }
}
