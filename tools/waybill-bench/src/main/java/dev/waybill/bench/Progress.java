package dev.waybill.bench;

import java.util.Locale;

/** What is going on, on standard error; results go to standard output. */
final class Progress {
    private Progress() {}

    static void say(String format, Object... values) {
        System.err.printf(Locale.ROOT, "bench: " + format + "%n", values);
    }
}
