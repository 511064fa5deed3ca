package dev.waybill.bench.systems;

/**
 * How often systems are measured in turns.
 *
 * @param warmUps before, which do not count
 */
public record Rounds(int warmUps, int measured) {
    /** Without a warm-up, for systems that are warm. */
    public static final Rounds ONCE = new Rounds(0, 1);

    int all() {
        return warmUps + measured;
    }

    String name(int number) {
        return number <= warmUps ? "warm-up" : number - warmUps + " of " + measured;
    }

    boolean counts(int number) {
        return number > warmUps;
    }
}
