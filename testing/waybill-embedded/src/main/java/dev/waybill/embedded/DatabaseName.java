package dev.waybill.embedded;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/** Names of databases that need no quotes. */
final class DatabaseName {
    private static final Pattern PREFIX = Pattern.compile("[a-z][a-z0-9_]{0,40}");

    private DatabaseName() {}

    static String next(String prefix, AtomicInteger counter) {
        if (!PREFIX.matcher(prefix).matches()) {
            throw new IllegalArgumentException("\"" + prefix
                    + "\" cannot begin a database's name: use 1 to 41 lower-case letters, digits or underscores, beginning"
                    + " with a letter.");
        }
        return prefix + "_" + counter.incrementAndGet();
    }
}
