package dev.waybill.server.access;

import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * People who signed in. Only hashes of their cookies are kept, in memory: after a restart everyone signs in again. Safe for use by many
 * threads.
 */
final class LoginSessions {
    static final int MOST = 1_000;
    /** So that a person who signs in again and again ends no session of another. */
    static final int MOST_PER_USER = 20;

    private static final Duration LONGEST = Duration.ofHours(12);
    private static final Duration IDLE = Duration.ofHours(2);

    private final InstantSource clock;
    /** By the hash of the cookie, the longest unused first. */
    private final Map<String, Session> sessions = new LinkedHashMap<>(16, 0.75f, true);

    private record Session(Caller caller, long begun, long used) {}

    LoginSessions(InstantSource clock) {
        this.clock = clock;
    }

    /** @return the cookie's value */
    synchronized String begin(Caller caller) {
        String secret = TokenHash.newToken();
        long now = clock.millis();
        List<String> own = sessions.entrySet().stream()
                .filter(each -> each.getValue().caller.name().equals(caller.name()))
                .map(Map.Entry::getKey)
                .toList();
        if (own.size() >= MOST_PER_USER) {
            sessions.remove(own.get(0));
        } else if (sessions.size() >= MOST) {
            sessions.remove(sessions.keySet().iterator().next());
        }
        sessions.put(TokenHash.make(secret).text(), new Session(caller, now, now));
        return secret;
    }

    synchronized Optional<Caller> find(String cookie) {
        String hash = TokenHash.make(cookie).text();
        Session session = sessions.get(hash);
        if (session == null) {
            return Optional.empty();
        }
        long now = clock.millis();
        if (now - session.begun > LONGEST.toMillis() || now - session.used > IDLE.toMillis()) {
            sessions.remove(hash);
            return Optional.empty();
        }
        sessions.put(hash, new Session(session.caller, session.begun, now));
        return Optional.of(session.caller);
    }

    synchronized void end(String cookie) {
        sessions.remove(TokenHash.make(cookie).text());
    }
}
