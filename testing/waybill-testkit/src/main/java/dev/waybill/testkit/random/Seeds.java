package dev.waybill.testkit.random;

import java.util.Random;
import java.util.stream.LongStream;

/** The seeds of this run: the requested number of new ones, or the one to repeat. */
public final class Seeds {
    static final String ONE = "waybill.seed";
    private static final String HOW_MANY = "waybill.seeds";

    private Seeds() {}

    public static LongStream all() {
        Long repeated = Long.getLong(ONE);
        return repeated != null
                ? LongStream.of(repeated)
                : new Random().longs(Integer.getInteger(HOW_MANY, 5), 1, 1_000_000_000_000L);
    }

    public static long one() {
        return all().findFirst().orElseThrow();
    }
}
