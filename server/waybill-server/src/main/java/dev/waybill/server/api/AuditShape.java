package dev.waybill.server.api;

import dev.waybill.admin.AuditEntry;
import dev.waybill.admin.ChangedEvents;
import java.util.Set;

/** Audit entries as JSON. */
final class AuditShape {
    private static final Set<String> CHANGES = Set.of("requeue", "discard");

    private AuditShape() {}

    /** Before the id of the event of a dead letter. */
    private static final String OF_LETTER = ", event ";

    /** Whether the entry is about the event: it was changed, or left out, or revealed, or came back as a dead letter. */
    static boolean names(AuditEntry entry, String eventId) {
        String details = entry.details();
        if (entry.action().equals("payload")) {
            return details.equals(eventId);
        }
        if (!CHANGES.contains(entry.action()) || details.startsWith("dead letter ")) {
            return namesLetter(details, eventId);
        }
        return ChangedEvents.of(details)
                .map(events -> events.changed().contains(eventId)
                        || events.notChanged().contains(eventId))
                // A denied change has only what was asked for.
                .orElseGet(() -> ChangedEvents.ids(details).contains(eventId));
    }

    private static boolean namesLetter(String details, String eventId) {
        int at = details.indexOf(OF_LETTER) + OF_LETTER.length();
        int end = at + eventId.length();
        return at >= OF_LETTER.length()
                && details.startsWith(eventId, at)
                && (end == details.length() || details.charAt(end) == ':' || details.charAt(end) == ',');
    }

    static Obj of(String store, AuditEntry entry, boolean operator) {
        Obj one = new Obj()
                .text("store", store)
                .time("at", entry.at())
                .text("who", entry.by().who());
        entry.login().ifPresent(login -> one.text("user", login.user()).text("address", login.address()));
        return one.text("action", entry.action())
                .text("relay", entry.relay())
                .text("details", Selected.shown(entry.details(), operator))
                .text("why", entry.by().why())
                .flag("allowed", entry.allowed());
    }
}
