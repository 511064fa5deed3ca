package dev.waybill.spi;

import java.util.Locale;

/** Numbers with their nouns, for messages: {@code 1 event}, {@code 12,000 events}. */
public final class Counted {
    private Counted() {}

    /** @param noun in the singular; its plural ends in s */
    public static String of(long count, String noun) {
        return of(count, noun, noun + "s");
    }

    /** For words that depend on the number, such as {@code event is} and {@code events are}. */
    public static String of(long count, String one, String several) {
        return String.format(Locale.ROOT, "%,d ", count) + (count == 1 ? one : several);
    }
}
