package dev.waybill.jdbc;

/** The one place where a name from configuration becomes part of a statement. */
final class SqlIdentifier {
    /** PostgreSQL cuts longer names off silently, and then another object would be meant. */
    private static final int MAX_BYTES = 63;

    private SqlIdentifier() {}

    static String quote(String name) {
        int bytes = name.getBytes(java.nio.charset.StandardCharsets.UTF_8).length;
        if (name.isBlank() || bytes > MAX_BYTES || name.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("\"" + name + "\" cannot be a name in SQL: use 1 to " + MAX_BYTES
                    + " bytes (it has " + bytes + ") without control characters.");
        }
        return '"' + name.replace("\"", "\"\"") + '"';
    }
}
