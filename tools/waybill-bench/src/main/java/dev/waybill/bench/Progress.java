package dev.waybill.bench;

import java.util.Locale;

/** Prints progress to the standard error; results go to the standard output. */
final class Progress {
    private Progress() {}

    static void say(String format, Object... values) {
        System.err.printf(Locale.ROOT, "bench: " + format + "%n", values);
    }
}
