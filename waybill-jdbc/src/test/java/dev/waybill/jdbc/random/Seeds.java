package dev.waybill.jdbc.random;

import java.util.Random;
import java.util.stream.LongStream;

/** The seeds of this run: as many new ones as asked for, or the one to repeat. */
final class Seeds {
    static final String ONE = "waybill.seed";
    private static final String HOW_MANY = "waybill.seeds";

    private Seeds() {}

    static LongStream all() {
        Long repeated = Long.getLong(ONE);
        return repeated != null
                ? LongStream.of(repeated)
                : new Random().longs(Integer.getInteger(HOW_MANY, 5), 1, 1_000_000_000_000L);
    }

    static long one() {
        return all().findFirst().orElseThrow();
    }
}
