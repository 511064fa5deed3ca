package dev.waybill.server.api;

import java.util.regex.Pattern;

/** Errors that differ only in numbers, ids and quoted parts are one kind of error. */
final class ErrorText {
    private static final int LONGEST = 300;
    private static final Pattern QUOTED = Pattern.compile("\"[^\"]*\"|'[^']{0,200}'|`[^`]*`");
    private static final Pattern ID = Pattern.compile(
            "\\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\\b|\\b(?=[a-fA-F]*\\d)[0-9a-fA-F]{8,64}\\b");
    private static final Pattern NUMBER = Pattern.compile("\\d+");

    private ErrorText() {}

    static String normalised(String error) {
        String cut = error.length() > 2 * LONGEST ? error.substring(0, 2 * LONGEST) : error;
        String plain = NUMBER.matcher(
                        ID.matcher(QUOTED.matcher(cut).replaceAll("\"…\"")).replaceAll("ID"))
                .replaceAll("N")
                .strip();
        return plain.length() > LONGEST ? plain.substring(0, LONGEST) + "…" : plain;
    }
}
