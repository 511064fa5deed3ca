package dev.waybill.server.api;

import dev.waybill.admin.AuditEntry;

/** Audit entries as JSON. */
final class AuditShape {

    private AuditShape() {}

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
