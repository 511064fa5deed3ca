package dev.waybill.postgres.journal;

import java.util.List;
import java.util.Optional;

/**
 * How safe a commit must be before its events are published.
 *
 * @param onDisk whether it must be flushed to disk, here or on a standby
 * @param standbys the standbys on whose disk it must be; an empty list means any one standby
 */
public record Durability(boolean onDisk, Optional<List<String>> standbys) {
    /** Published as soon as it is visible. */
    public static final Durability VISIBLE = new Durability(false, Optional.empty());

    /**
     * Servers that replay what they receive, and so can be promoted. Backups and receivers of WAL (pg_basebackup, pg_receivewal)
     * report what they have flushed, but never a replay_lsn. Readers of logical slots report one, and are excluded by their slot.
     */
    public static final String STANDBYS = """
            (select r.application_name, r.flush_lsn from pg_stat_replication r
              where r.replay_lsn is not null
                and not exists (select from pg_replication_slots t where t.active_pid = r.pid and t.slot_type = 'logical'))""";
}
