package dev.waybill.tck;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The only source of seeds for random tests. Each test has its own, which are derived from {@code -Dwaybill.baseSeed} and the
 * name of the test: the same base gives the same seeds on every machine and in every order of tests. {@code -Dwaybill.seeds=50}
 * sets how many a test takes that repeats itself, and {@code -Dwaybill.seed} replaces them all by one, to repeat a failure.
 *
 * <p>{@link SeedsInFailures} tells which test runs. Without this extension all tests have the same seeds.
 */
public final class Seeds {
    private static final Settings SETTINGS = new Settings(
            Long.getLong("waybill.baseSeed", 1), Integer.getInteger("waybill.seeds", 2), Long.getLong("waybill.seed"));
    private static final Map<String, DerivedSeeds> BY_TEST = new ConcurrentHashMap<>();
    private static volatile String test = "";

    private Seeds() {}

    /** Another one with each call, unless a seed is repeated. */
    public static long one() {
        return ofThisTest().next();
    }

    /** As many as {@code -Dwaybill.seeds} says, each taken when the stream comes to it. */
    public static LongStream all() {
        return all(1);
    }

    /** @param times how many times as many, for quick runs */
    public static LongStream all(int times) {
        return ofThisTest().next(times);
    }

    /** Selects what runs, such as some combinations of many. To repeat a seed does not change it. */
    public static Random ofSample() {
        return new Random(SETTINGS.base());
    }

    private static DerivedSeeds ofThisTest() {
        return BY_TEST.computeIfAbsent(test, name -> new DerivedSeeds(SETTINGS, name));
    }

    /** @param id of a test or, between tests, of their class; empty between classes */
    static void enter(String id) {
        test = id;
    }

    /** The seeds that a test, and the class around it, have taken. */
    static List<DerivedSeeds> takenBy(String id) {
        return BY_TEST.values().stream().filter(seeds -> seeds.areOf(id)).toList();
    }

    /** @param repeated null if no seed is repeated */
    record Settings(long base, int howMany, @Nullable Long repeated) {}
}
