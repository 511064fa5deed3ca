package dev.waybill.jsonschema;

import java.time.Duration;

/**
 * The time left for checking the current payload. A pattern can take almost for ever on a text of forty characters, and one event
 * must not block all others.
 */
final class CheckTime {
    private static final long MOST_NANOS = Duration.ofSeconds(1).toNanos();
    private static final ThreadLocal<Long> BEGUN = ThreadLocal.withInitial(System::nanoTime);

    private CheckTime() {}

    /** The time is up. An error, since the validator catches exceptions, logs them and continues. */
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
