package dev.waybill.server.api;

import dev.waybill.admin.AuditEntry;
import java.util.regex.Pattern;

/** Audit entries as JSON. */
final class AuditShape {
    /** What an operator selected by a key or an aggregate id, which may be personal data. */
    private static final Pattern PERSONAL = Pattern.compile("\\b(aggregate id|key) .*", Pattern.DOTALL);

    private AuditShape() {}

    static Obj of(String store, AuditEntry entry, boolean operator) {
        Obj one = new Obj()
                .text("store", store)
                .time("at", entry.at())
                .text("who", entry.by().who());
        entry.login().ifPresent(login -> one.text("user", login.user()).text("address", login.address()));
        return one.text("action", entry.action())
                .text("relay", entry.relay())
                .text(
                        "details",
                        operator
                                ? entry.details()
                                : PERSONAL.matcher(entry.details()).replaceFirst("$1 [hidden]"))
                .text("why", entry.by().why())
                .flag("allowed", entry.allowed());
    }
}
