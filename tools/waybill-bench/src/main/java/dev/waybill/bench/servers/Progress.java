package dev.waybill.bench.servers;

import java.util.Locale;

/** Prints progress to the standard error; results go to the standard output. */
public final class Progress {
    private Progress() {}

    public static void say(String format, Object... values) {
        System.err.printf(Locale.ROOT, "bench: " + format + "%n", values);
    }
}
