package dev.waybill.postgres;

import dev.waybill.postgres.journal.Durability;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * How safe a commit must be before its events are published.
 *
 * @param standbys for {@link Stage#REPLICA}: the {@code application_name} of the standbys that must all have it; if empty, any
 *     one standby suffices
 */
public record WaitFor(Stage stage, List<String> standbys) {
    /** Publish as soon as it is visible. */
    public static final WaitFor COMMIT = new WaitFor(Stage.COMMIT, List.of());

    /**
     * Publish once it is on this server's disk, also if the application commits with {@code synchronous_commit = off}. Delays
     * such events by one or two polls, and at most by three times {@code wal_writer_delay}.
     */
    public static final WaitFor FLUSH = new WaitFor(Stage.FLUSH, List.of());

    /** State of a commit. */
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
            throw new IllegalArgumentException("Standbys " + standbys + " are named, but the relay waits only for "
                    + stage.name().toLowerCase(Locale.ROOT) + ": wait for replica, or name none.");
        }
        if (standbys.stream().anyMatch(String::isBlank)) {
            throw new IllegalArgumentException("The name of a standby is blank.");
        }
    }

    /**
     * Publish once it is on the disk of a standby, so that promoting that standby does not undo a published event.
     *
     * @param standbys the {@code application_name} of each standby that must have it; without any, one standby suffices
     */
    public static WaitFor replica(String... standbys) {
        return new WaitFor(Stage.REPLICA, List.of(standbys));
    }

    Durability durability() {
        return new Durability(stage != Stage.COMMIT, stage == Stage.REPLICA ? Optional.of(standbys) : Optional.empty());
    }
}
