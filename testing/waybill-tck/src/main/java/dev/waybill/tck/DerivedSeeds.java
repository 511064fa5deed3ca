package dev.waybill.tck;

import dev.waybill.tck.Seeds.Settings;
import java.util.Random;
import java.util.stream.LongStream;

/** The seeds of one test. */
final class DerivedSeeds {
    private static final long MOST = 1_000_000_000_000L;

    private final Settings settings;
    private final String test;
    private final Random random;
    private int asked;
    private long last;

    DerivedSeeds(Settings settings, String test) {
        this.settings = settings;
        this.test = test;
        this.random = new Random(31 * settings.base() + test.hashCode());
    }

    synchronized long next() {
        asked++;
        return take();
    }

    synchronized LongStream next(int times) {
        asked++;
        return settings.repeated() == null
                ? LongStream.generate(this::take).limit((long) times * settings.howMany())
                : LongStream.of(take());
    }

    private synchronized long take() {
        Long repeated = settings.repeated();
        last = repeated == null ? random.nextLong(1, MOST) : repeated;
        return last;
    }

    boolean areOf(String id) {
        return !test.isEmpty() && id.startsWith(test);
    }

    /** Whether one seed repeats a failure of now; the base does if the test asked for several. */
    synchronized boolean isOne() {
        return asked == 1;
    }

    synchronized long last() {
        return last;
    }

    long base() {
        return settings.base();
    }
}
