package dev.waybill.embedded;

import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A JVM that started a server, or a process that it started. The start time distinguishes it from a later process with the same pid. */
record Owner(long pid, long startedAtSecond) {
    private static final Pattern LINE = Pattern.compile("(\\d+) (\\d+)\\s*");
    /** The system computes start times from a clock that may be corrected. */
    private static final long CLOCK_SLACK_SECONDS = 10;

    static Owner thisJvm() {
        return of(ProcessHandle.current());
    }

    static Owner of(ProcessHandle process) {
        return new Owner(process.pid(), startSecond(process));
    }

    static Optional<Owner> parse(String line) {
        Matcher matcher = LINE.matcher(line);
        return matcher.matches()
                ? Optional.of(new Owner(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2))))
                : Optional.empty();
    }

    String line() {
        return pid + " " + startedAtSecond;
    }

    boolean isAlive() {
        return process().isPresent();
    }

    Optional<ProcessHandle> process() {
        return ProcessHandle.of(pid)
                .filter(process -> Math.abs(startSecond(process) - startedAtSecond) <= CLOCK_SLACK_SECONDS);
    }

    private static long startSecond(ProcessHandle process) {
        return process.info().startInstant().map(Instant::getEpochSecond).orElse(0L);
    }
}
