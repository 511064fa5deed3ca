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
 * Keys that wait because the place they go to (a partition) is away, and how long until they are tried again: a second at
 * first, longer while none of them gets through, and longer still while they are very many, so that trying them leaves the
 * others their time. One thread.
 */
final class InDoubtKeys {
    private static final Logger log = LoggerFactory.getLogger(InDoubtKeys.class);

    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofSeconds(5);
    private static final int TRIES_A_SECOND = 200;
    static final Duration LONGEST_OF_MANY = Duration.ofSeconds(60);
    /** Keys beyond so many wait like the others, but are not remembered. */
    private static final int REMEMBERED = 10_000;

    private final RelayName relay;
    private final InstantSource clock;
    private final Set<Utf8> keys = new HashSet<>();
    private Duration wait = FIRST;
    /** When the keys that are waiting now have been tried again. */
    private Instant triedAgainAt = Instant.MIN;

    /** Events that were in doubt since then: about as many as there are keys. */
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

    /** Not all at once: between half and all of the time. */
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

    /** An event of the key was answered otherwise: its place is there again. */
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
                    "Relay {}: {}; {} keys wait and are tried again every {} to {} s, or {} s when they are very many;"
                            + " the others go on. Nothing is counted against any event.",
                    relay,
                    error,
                    keys.size(),
                    FIRST.toSeconds(),
                    LONGEST.toSeconds(),
                    LONGEST_OF_MANY.toSeconds());
        } else if (told && keys.isEmpty()) {
            told = false;
            log.info("Relay {}: keys that waited for a place that was away go on.", relay);
        }
    }
}
