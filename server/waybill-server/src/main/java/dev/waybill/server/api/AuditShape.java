package dev.waybill.server.api;

import dev.waybill.admin.AuditEntry;

/** Audit entries as JSON. */
final class AuditShape {

    private AuditShape() {}

    /** Whether the details that the caller may see name the event, and not another one whose id has this one in it. */
    static boolean names(AuditEntry entry, String eventId, boolean operator) {
        String details = Selected.shown(entry.details(), operator);
        for (int at = details.indexOf(eventId); at >= 0; at = details.indexOf(eventId, at + 1)) {
            int end = at + eventId.length();
            if ((at == 0 || !isOfId(details.charAt(at - 1)))
                    && (end == details.length() || !isOfId(details.charAt(end)))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOfId(char one) {
        return Character.isLetterOrDigit(one) || one == '-' || one == '_';
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
