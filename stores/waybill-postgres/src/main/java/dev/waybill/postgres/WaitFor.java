package dev.waybill.postgres;

import java.util.List;
import java.util.Locale;

/**
 * How safe a commit must be before its events are published.
 *
 * @param standbys for {@link Stage#REPLICA}: the {@code application_name} of standbys that must all have it; when empty, any
 *     one standby is enough
 */
public record WaitFor(Stage stage, List<String> standbys) {
    /** Published as soon as it is visible. */
    public static final WaitFor COMMIT = new WaitFor(Stage.COMMIT, List.of());

    /**
     * Published once it is on this server's disk, also when its application commits with {@code synchronous_commit = off}. It
     * costs such events a poll or two, and at most three times {@code wal_writer_delay}.
     */
    public static final WaitFor FLUSH = new WaitFor(Stage.FLUSH, List.of());

    /** What must have happened to a commit. */
    public enum Stage {
        /** It is visible. */
        COMMIT,
        /** It is on this server's disk. */
        FLUSH,
        /** It is on a standby's disk. */
        REPLICA
    }

    public WaitFor {
        standbys = List.copyOf(standbys);
        if (stage != Stage.REPLICA && !standbys.isEmpty()) {
            throw new IllegalArgumentException("Standbys " + standbys + " are named, but the relay waits for the "
                    + stage.name().toLowerCase(Locale.ROOT) + " alone: wait for the replica, or name none.");
        }
        if (standbys.stream().anyMatch(String::isBlank)) {
            throw new IllegalArgumentException("The name of a standby is blank.");
        }
    }

    /**
     * Published once it is on the disk of a standby, so that promoting that standby undoes nothing that was published.
     *
     * @param standbys each must have it, by {@code application_name}; without any, one connected standby is enough
     */
    public static WaitFor replica(String... standbys) {
        return new WaitFor(Stage.REPLICA, List.of(standbys));
    }
}
