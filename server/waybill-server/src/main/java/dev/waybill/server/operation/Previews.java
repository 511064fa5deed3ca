package dev.waybill.server.operation;

import dev.waybill.server.access.TokenHash;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Changes that were shown and wait for their confirmation. Safe for use by many threads. */
final class Previews {
    static final Duration VALID = Duration.ofMinutes(5);
    private static final int MOST = 30;
    private static final int MOST_PER_PERSON = 5;
    /** Events and letters of all, since they wait in memory: ten of the largest. */
    private static final int MOST_EVENTS = 100_000;

    private final InstantSource clock;
    /** By token, oldest first. */
    private final Map<String, Shown> shown = new LinkedHashMap<>();

    private record Shown(String who, Instant until, Prepared prepared) {}

    Previews(InstantSource clock) {
        this.clock = clock;
    }

    /** @return a token for {@link #take} */
    synchronized String add(String who, Prepared prepared) {
        forgetOld();
        forgetOldest(MOST_PER_PERSON, who);
        while (shown.size() >= MOST
                || (!shown.isEmpty() && events() + prepared.work().held() > MOST_EVENTS)) {
            shown.remove(nextToGo(who));
        }
        String token = TokenHash.newToken();
        shown.put(token, new Shown(who, clock.instant().plus(VALID), prepared));
        return token;
    }

    /** The oldest of the same person; of somebody else only if there is none. */
    private String nextToGo(String who) {
        return shown.entrySet().stream()
                .filter(each -> each.getValue().who.equals(who))
                .findFirst()
                .or(() -> shown.entrySet().stream().findFirst())
                .orElseThrow()
                .getKey();
    }

    private long events() {
        return shown.values().stream()
                .mapToLong(each -> each.prepared.work().held())
                .sum();
    }

    /** For the same person, while the token is valid. */
    synchronized Optional<Prepared> find(String token, String who) {
        forgetOld();
        return Optional.ofNullable(shown.get(token))
                .filter(each -> each.who.equals(who))
                .map(Shown::prepared);
    }

    /** Uses the token up. */
    synchronized boolean take(String token) {
        return shown.remove(token) != null;
    }

    private void forgetOld() {
        Instant now = clock.instant();
        shown.values().removeIf(each -> each.until.isBefore(now));
    }

    private void forgetOldest(int most, String who) {
        long count =
                shown.values().stream().filter(each -> each.who.equals(who)).count();
        for (Iterator<Shown> each = shown.values().iterator(); each.hasNext() && count >= most; ) {
            if (each.next().who.equals(who)) {
                each.remove();
                count--;
            }
        }
    }
}
