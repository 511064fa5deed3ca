package dev.waybill.jdbc;

/** An error as it is stored. */
final class ErrorText {
    /** What the side table takes. */
    static final int SIDE_LENGTH = 2_000;

    private ErrorText() {}

    /** At most so many characters, cut between characters; and without the one that PostgreSQL cannot store. */
    static String cut(String error, int length) {
        String storable = error.replace('\0', ' ');
        if (storable.codePointCount(0, storable.length()) <= length) {
            return storable;
        }
        return storable.substring(0, storable.offsetByCodePoints(0, length - 1)) + "…";
    }
}
