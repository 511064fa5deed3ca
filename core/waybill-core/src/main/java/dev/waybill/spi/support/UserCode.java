package dev.waybill.spi.support;

import dev.waybill.spi.Bursts;
import dev.waybill.spi.Printable;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Guards calls of an application's code: formats, routes, listeners, handlers, destinations. What such code throws or leaves behind
 * harms its own call only, and is logged with the class of the code, at most once a minute for each. Safe for use by many threads.
 */
public final class UserCode {
    /** Time between two lines about the same code. */
    static final Duration BETWEEN_LINES = Duration.ofMinutes(1);

    private final LongSupplier nanoTime;
    private final Log log;
    private final Map<String, Bursts<Problem>> problems = new ConcurrentHashMap<>();

    /** Writes the lines. */
    public interface Log {
        /** @param thrown what the code threw; null if it threw nothing */
        void line(String words, @Nullable Throwable thrown);
    }

    private record Problem(String words, @Nullable Throwable thrown) {}

    /** @param nanoTime the monotonic clock */
    public UserCode(LongSupplier nanoTime, Log log) {
        this.nanoTime = nanoTime;
        this.log = log;
    }

    /** Runs a call whose failure changes nothing, whatever it throws. */
    public void run(String role, Object code, Runnable call) {
        try {
            call.run();
        } catch (Throwable e) {
            report(name(role, code), " failed with " + describe(e) + "; this has no other effect", e);
        } finally {
            returned(role, code, "");
        }
    }

    /**
     * Called after every call of such code. Clears the interrupt flag if the code has left it set, because Waybill's threads would
     * take it for an interrupt of their own: nothing else interrupts them.
     *
     * @param about the event, or empty text
     */
    public void returned(String role, Object code, Object about) {
        if (Thread.interrupted()) {
            String event = Printable.of(about);
            report(
                    name(role, code),
                    " left its thread interrupted" + (event.isEmpty() ? "" : " after event " + event)
                            + "; the interrupt is cleared",
                    null);
        }
    }

    /** The same function, whose callers handle what it throws. */
    public <A, R> Function<A, R> guarded(String role, Object code, Function<A, R> function) {
        return argument -> {
            try {
                return function.apply(argument);
            } finally {
                returned(role, code, "");
            }
        };
    }

    private void report(String code, String what, @Nullable Throwable thrown) {
        problems.computeIfAbsent(code, unused -> new Bursts<>(nanoTime, new Lines(log), 1, BETWEEN_LINES))
                .add(new Problem("the " + code + what, thrown));
    }

    private record Lines(Log log) implements Bursts.Lines<Problem> {
        @Override
        public void first(Problem one) {
            line(one.words() + ".", one.thrown());
        }

        @Override
        public void rest(long more, Problem last) {
            line(more + " more failures since the last line; the last: " + last.words() + ".", last.thrown());
        }

        private void line(String words, @Nullable Throwable thrown) {
            try {
                log.line(words, thrown);
            } catch (Throwable e) {
                // Methods of the exception may throw when it is printed.
                log.line(words, null);
            }
        }
    }

    /** Logs what is not logged yet. */
    public void tellRest() {
        problems.values().forEach(Bursts::tellRest);
    }

    /** As in "format com.example.OrderFormat". */
    public static String name(String role, Object code) {
        return role + " " + code.getClass().getName();
    }

    /**
     * Whether an error concerns the whole process and not only the call that threw it: there is no memory, or the JVM has failed. A
     * stack overflow is caused by its call.
     */
    public static boolean isOfProcess(Throwable thrown) {
        return thrown instanceof VirtualMachineError && !(thrown instanceof StackOverflowError);
    }

    /** Class of an exception, and where it was thrown. Its message is left out: it may contain personal data. Never throws. */
    public static String describe(Throwable thrown) {
        String type = thrown.getClass().getName();
        try {
            Throwable cause = thrown.getCause();
            if (thrown instanceof CompletionException && cause != null) {
                return describe(cause);
            }
            StackTraceElement[] trace = thrown.getStackTrace();
            return trace.length == 0 ? type : type + " at " + trace[0];
        } catch (Throwable e) {
            // Methods of other libraries' exceptions may throw.
            return type;
        }
    }
}
