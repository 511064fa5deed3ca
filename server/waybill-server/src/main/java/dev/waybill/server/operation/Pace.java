package dev.waybill.server.operation;

/** When the next step may begin, so that a rate is kept. In nanoseconds of any clock. */
final class Pace {
    private static final double SECOND = 1e9;

    private final int rate;
    private long due;

    Pace(int rate, long begun) {
        this.rate = rate;
        this.due = begun;
    }

    /** @param size of the step: it begins when so many are due, so that no second, not even the first, has more than the rate */
    long beginning(int size, long now) {
        due = Math.max(now, due + (long) (size * SECOND / rate));
        return due;
    }
}
