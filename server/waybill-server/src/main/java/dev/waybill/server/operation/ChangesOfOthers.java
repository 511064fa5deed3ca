package dev.waybill.server.operation;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.AuditEntry;
import dev.waybill.admin.ChangedEvents;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.spi.StoreRefusedException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Events of a relay that were requeued or discarded since this was made, according to the audit. An event that was requeued and
 * failed again looks as before in every store; but its last failure was not part of the preview. Not safe for use by many threads.
 */
public final class ChangesOfOthers {
    private static final int PAGE = 50;
    private static final Set<String> CHANGES = Set.of("requeue", "discard");

    private final StoreAdmin admin;
    private final RelayName relay;
    /** Entries that were read, by cursor. One with a smaller cursor may be committed later. */
    private final Set<String> known = new HashSet<>();

    private final Set<String> ids = new HashSet<>();
    /** What the operation itself has changed. */
    private final Set<String> own = new HashSet<>();

    private String self = "";

    /** From now on. */
    public ChangesOfOthers(StoreAdmin admin, RelayName relay) {
        this.admin = admin;
        this.relay = relay;
        admin.audit(PAGE).forEach(entry -> known.add(entry.cursor()));
    }

    /**
     * Reads what was written since the last time.
     *
     * @throws StoreRefusedException if events were changed that the audit does not name: these may be any
     */
    void look() {
        Optional<String> after = Optional.empty();
        boolean more = true;
        while (more) {
            List<AuditEntry> page = admin.audit(after, PAGE);
            more = page.size() == PAGE;
            for (AuditEntry entry : page) {
                if (!known.add(entry.cursor())) {
                    more = false;
                } else if (isChange(entry) && !namesAll(entry)) {
                    throw new StoreRefusedException("Events of the relay " + relay
                            + " were changed since the preview, and the audit does not name them all: make a new preview."
                            + " The rest was not changed.");
                }
                after = Optional.of(entry.cursor());
            }
        }
    }

    private boolean namesAll(AuditEntry entry) {
        Optional<ChangedEvents> found = ChangedEvents.of(entry.details());
        found.ifPresent(changed -> ids.addAll(changed.changed()));
        return found.filter(changed -> changed.all() || isOwn(entry, changed)).isPresent();
    }

    /** Whether it is an entry of the operation itself, whose ids are too long for an entry. */
    private boolean isOwn(AuditEntry entry, ChangedEvents changed) {
        return entry.details().endsWith("…") && entry.by().who().equals(self) && own.containsAll(changed.changed());
    }

    /** Tells what the operation itself is about to change. */
    void changing(Actor by, List<String> eventIds) {
        self = by.who();
        own.addAll(eventIds);
    }

    private boolean isChange(AuditEntry entry) {
        return entry.allowed()
                && CHANGES.contains(entry.action())
                && entry.relay().equals(relay.value());
    }

    boolean have(String eventId) {
        return ids.contains(eventId);
    }
}
