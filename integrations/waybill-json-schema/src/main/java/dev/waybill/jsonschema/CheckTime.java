package dev.waybill.jsonschema;

import java.time.Duration;

/**
 * How much time is left for checking the payload at hand. A pattern can take longer than anybody lives to try a text of forty
 * characters; one event must not cost all others their turn.
 */
final class CheckTime {
    private static final long MOST_NANOS = Duration.ofSeconds(1).toNanos();
    private static final ThreadLocal<Long> BEGUN = ThreadLocal.withInitial(System::nanoTime);

    private CheckTime() {}

    /** The time is over. No exception: the validator catches those, logs them, and goes on. */
    static final class OverError extends Error {
        private static final long serialVersionUID = 1L;

        OverError() {
            super("took longer than " + Duration.ofNanos(MOST_NANOS).toMillis() + " ms", null, false, false);
        }
    }

    static void begin() {
        BEGUN.set(System.nanoTime());
    }

    static void requireSome() {
        if (System.nanoTime() - BEGUN.get() > MOST_NANOS) {
            throw new OverError();
        }
    }

    static void end() {
        BEGUN.remove();
    }
}
