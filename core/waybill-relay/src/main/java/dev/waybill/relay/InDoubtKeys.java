package dev.waybill.relay;

import dev.waybill.RelayName;
import dev.waybill.spi.Utf8;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keys whose part of the destination (a partition) is unavailable, and when they are retried: after a second at first, later
 * while none of them succeeds, and later still if there are very many, so that retries leave capacity for other keys. One
 * thread.
 */
final class InDoubtKeys {
    private static final Logger log = LoggerFactory.getLogger(InDoubtKeys.class);

    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofSeconds(5);
    private static final int TRIES_A_SECOND = 200;
    static final Duration LONGEST_OF_MANY = Duration.ofSeconds(60);
    /** More keys than this wait like the others, but are not remembered. */
    private static final int REMEMBERED = 10_000;

    private final RelayName relay;
    private final InstantSource clock;
    private final Set<Utf8> keys = new HashSet<>();
    private Duration wait = FIRST;
    /** By then, all keys that wait now have been retried. */
    private Instant triedAgainAt = Instant.MIN;

    /** Events in doubt since then: approximately the number of keys. */
    private int tries;

    private String error = "";
    private boolean told;

    InDoubtKeys(RelayName relay, InstantSource clock) {
        this.relay = relay;
        this.clock = clock;
    }

    boolean isEmpty() {
        return keys.isEmpty();
    }

    /**
     * The first waiting event of the key is in doubt.
     *
     * @return when to send it again
     */
    Instant inDoubt(Utf8 key, String why) {
        Instant now = clock.instant();
        error = why;
        tries++;
        if (keys.isEmpty()) {
            wait = FIRST;
            triedAgainAt = now.plus(wait);
            tries = 1;
        } else if (keys.contains(key) && !now.isBefore(triedAgainAt)) {
            wait = longer(shorter(wait.multipliedBy(2), LONGEST), ofMany());
            triedAgainAt = now.plus(wait);
            tries = 0;
        }
        if (keys.size() < REMEMBERED) {
            keys.add(key);
        }
        return now.plus(wait.compareTo(LONGEST) <= 0 ? wait : spread(key));
    }

    private Duration ofMany() {
        return shorter(Duration.ofMillis(1_000L * tries / TRIES_A_SECOND), LONGEST_OF_MANY);
    }

    /** Spreads the retries between half of the wait and all of it. */
    private Duration spread(Utf8 key) {
        long millis = wait.toMillis();
        return Duration.ofMillis(millis / 2 + Math.floorMod(key.hashCode(), (int) (millis / 2)));
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    /** An event of the key got another answer: its part of the destination is available again. */
    void answered(Utf8 key) {
        if (keys.remove(key)) {
            wait = FIRST;
        }
    }

    /** Logs the beginning and the end of an outage, and nothing per event. Called when a batch is settled. */
    void tellChanges() {
        if (!told && !keys.isEmpty()) {
            told = true;
            log.warn(
                    "Relay {}: {}. {} keys are retried every {} to {} s, or every {} s if there are very many;"
                            + " other keys continue. No attempts are counted.",
                    relay,
                    error,
                    keys.size(),
                    FIRST.toSeconds(),
                    LONGEST.toSeconds(),
                    LONGEST_OF_MANY.toSeconds());
        } else if (told && keys.isEmpty()) {
            told = false;
            log.info("Relay {}: keys that waited for an unavailable part of the destination continue.", relay);
        }
    }
}
