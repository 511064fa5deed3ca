package dev.waybill.connect;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.postgres.JournalOptions;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelayDroppedException;
import dev.waybill.spi.StoreException;
import dev.waybill.spi.transaction.WindowSession;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.connect.errors.ConnectException;
import org.jspecify.annotations.Nullable;

/**
 * What an operator does to the offsets of a stopped connector. A position that is committed in Connect refers to a window in the
 * store, so the relay starts anew there: its position and its parked events are deleted, and the offset that Connect keeps has no
 * meaning for it any more.
 */
final class AlteredOffsets {
    private static final Duration LEASE = Duration.ofSeconds(5);
    private static final String BEGINNING = "beginning";
    private static final String NOW = "now";
    private static final Actor BY = new Actor("Kafka Connect", "its offsets were altered or reset");

    private final Map<String, String> task;
    private final StoreSettings store;
    private final RelayName relay;

    private AlteredOffsets(Map<String, String> task) {
        AbstractConfig config = new AbstractConfig(ConnectorKeys.definition(), task, false);
        this.task = task;
        this.store = new StoreSettings(config);
        this.relay = new RelaySettings(config).name();
    }

    /**
     * @param offsets by partition; null for a reset
     * @throws ConnectException if they cannot be applied; the message says why
     */
    static void apply(Map<String, String> connector, Map<Map<String, ?>, ? extends @Nullable Map<String, ?>> offsets) {
        // With transactions the partition has the origin of the journal, without them the name of the store.
        Map<Map<String, ?>, AlteredOffsets> journals = new HashMap<>();
        Set<Map<String, ?>> tables = new HashSet<>();
        for (Map<String, String> one : ConfiguredStores.tasks(connector)) {
            AlteredOffsets altered = new AlteredOffsets(ConfiguredStores.ofTask(one));
            if (altered.store.isJournal()) {
                journals.put(SourceOffsets.partition(altered.relay, ConfiguredStores.nameOf(one)), altered);
                journals.put(SourceOffsets.partition(altered.relay, altered.origin()), altered);
            } else {
                tables.add(SourceOffsets.partition(altered.relay, ConfiguredStores.nameOf(one)));
            }
        }
        // All are checked before the first is applied.
        Map<AlteredOffsets, JournalOptions.Start> starts = new HashMap<>();
        offsets.forEach((partition, offset) -> {
            @Nullable AlteredOffsets journal = journals.get(partition);
            if (journal == null && offset == null && !tables.contains(partition)) {
                // Of a relay or a store that the connector had before. Connect resets all that it has of the connector.
                return;
            }
            if (journal == null) {
                throw new ConnectException("The partition " + partition + " is none of this connector's journals "
                        + journals.keySet()
                        + ": offsets of tables cannot be altered, since their rows know what was sent. Use"
                        + " a replay of Waybill instead. Nothing was changed.");
            }
            starts.put(journal, journal.start(offset));
        });
        starts.keySet().forEach(AlteredOffsets::requireStopped);
        starts.forEach(AlteredOffsets::startAnew);
    }

    private JournalOptions.Start start(@Nullable Map<String, ?> offset) {
        if (offset == null) {
            return StoreSettings.constant(
                    JournalOptions.Start.class, task.getOrDefault(ConnectorKeys.STORE_START, BEGINNING));
        }
        Object from = offset.get(SourceOffsets.FROM);
        if (offset.size() == 1 && BEGINNING.equals(from)) {
            return JournalOptions.Start.BEGINNING;
        }
        if (offset.size() == 1 && NOW.equals(from)) {
            return JournalOptions.Start.NOW;
        }
        throw new ConnectException("The offset of relay " + relay + " cannot be " + offset.keySet()
                + ": use {\"from\": \"beginning\"} or {\"from\": \"now\"}, or reset the offsets to start at store.start."
                + " Positions are only valid as Connect has committed them. Nothing was changed.");
    }

    private String origin() {
        try {
            return store.journal().origin();
        } catch (StoreException e) {
            throw failed(e);
        }
    }

    /**
     * An earlier alteration may have ended after it had dropped the relay, for example because the worker was killed; then this one
     * goes on. A relay that an operator has dropped stays dropped.
     */
    private void requireStopped() {
        try {
            onSession(store.journal(), WindowSession::epoch);
        } catch (ConnectException e) {
            if (!(e.getCause() instanceof RelayDroppedException dropped
                    && BY.equals(Actor.recorded(dropped.who(), dropped.why())))) {
                throw e;
            }
        }
    }

    private void startAnew(JournalOptions.Start start) {
        try {
            PostgresJournal journal = store.journal(start);
            journal.admin().drop(relay, BY);
            journal.admin().restore(relay, BY);
            // Opening it registers it, at the beginning or at what is committed now.
            onSession(journal, WindowSession::epoch);
        } catch (StoreException e) {
            throw failed(e);
        }
    }

    private interface OnSession<R> {
        R of(WindowSession session);
    }

    private <R> R onSession(PostgresJournal journal, OnSession<R> work) {
        try (WindowSession session = journal.openWindows(relay, OwnerId.unique("kafka connect offsets"), LEASE)
                .orElseThrow(
                        () -> new ConnectException(
                                "Relay " + relay
                                        + " is running: stop the connector, and wait until its lease has expired. Nothing was changed."))) {
            return work.of(session);
        } catch (StoreException e) {
            throw failed(e);
        }
    }

    private ConnectException failed(RuntimeException e) {
        return new ConnectException("The offset of relay " + relay + " was not altered: " + e.getMessage(), e);
    }
}
