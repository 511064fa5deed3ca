package dev.waybill.server.access;

import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Makes guessing slow: after some failures for one name from one address, or many from one address, each further attempt must wait
 * twice as long. No caller can lock out a user at another address. Safe for use by many threads.
 */
final class LoginThrottle {
    static final int FREE_PER_NAME = 5;
    static final int FREE_PER_ADDRESS = 50;
    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofMinutes(5);
    private static final Duration FORGOTTEN = Duration.ofMinutes(30);
    private static final int MOST = 10_000;
    private static final int MOST_DOUBLINGS = 20;
    /** Of a longer name only the beginning is remembered: anybody may send any name. */
    private static final int LONGEST_NAME = 200;

    private final InstantSource clock;
    private final Map<String, Failures> failures = new LinkedHashMap<>(16, 0.75f, true);

    private record Failures(int count, long last) {}

    LoginThrottle(InstantSource clock) {
        this.clock = clock;
    }

    /** @throws RefusedException if it must wait */
    synchronized void check(String name, String address) {
        Duration wait = longer(wait(one(name, address), FREE_PER_NAME), wait(address, FREE_PER_ADDRESS));
        if (!wait.isZero()) {
            throw RefusedException.tooMany(
                    "Too many failed logins: try again in " + (wait.toSeconds() + 1) + " seconds.", wait);
        }
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    private Duration wait(String key, int free) {
        Failures known = failures.get(key);
        if (known == null || known.count < free) {
            return Duration.ZERO;
        }
        long factor = 1L << Math.min(MOST_DOUBLINGS, known.count - free);
        long due = known.last + Math.min(LONGEST.toMillis(), FIRST.toMillis() * factor);
        return Duration.ofMillis(Math.max(0, due - clock.millis()));
    }

    synchronized void failed(String name, String address) {
        count(one(name, address));
        count(address);
    }

    private void count(String key) {
        long now = clock.millis();
        Failures known = failures.get(key);
        int before = known == null || now - known.last > FORGOTTEN.toMillis() ? 0 : known.count;
        failures.put(key, new Failures(before + 1, now));
        if (failures.size() > MOST) {
            failures.remove(failures.keySet().iterator().next());
        }
    }

    synchronized void succeeded(String name, String address) {
        failures.remove(one(name, address));
    }

    private static String one(String name, String address) {
        return address + " " + (name.length() > LONGEST_NAME ? name.substring(0, LONGEST_NAME) : name);
    }
}
