package dev.waybill.server.api;

import dev.waybill.admin.AuditEntry;
import dev.waybill.server.access.Role;
import dev.waybill.server.http.Answer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The audit of all stores. */
final class AuditRoutes {
    /** Entries that are looked at for one page. */
    private static final int MOST = 20_000;

    private final Backend backend;
    private final Answers answers;

    AuditRoutes(Backend backend, Answers answers) {
        this.backend = backend;
        this.answers = answers;
    }

    List<Route> routes() {
        return List.of(Route.get("/api/audit", Role.VIEWER, "Changes by people, newest first.")
                .query(
                        Field.text("store", "only of this store"),
                        Field.text("relay", "only about this relay"),
                        Field.text("who", "only by this person or job"),
                        Field.text("action", "only this action"),
                        Field.text("event", "only entries that name this event"),
                        Field.text("from", "at this time or later"),
                        Field.text("until", "before this time"),
                        Field.text("after", "next of the previous page"),
                        Field.whole("limit", "entries at most; 50, at most 500"))
                .does("entries, next, lookedAt, unavailable", this::audit));
    }

    private Answer audit(Call call) {
        Optional<Instant> from = call.time("from");
        Optional<Instant> until = call.time("until");
        int limit = call.limit(50, 500);
        Predicate<AuditEntry> wanted = entry -> is(call, "relay", entry.relay())
                && is(call, "who", entry.by().who())
                && is(call, "action", entry.action())
                && call.query("event").map(id -> AuditShape.names(entry, id)).orElse(true)
                && from.map(time -> !entry.at().isBefore(time)).orElse(true)
                && until.map(time -> entry.at().isBefore(time)).orElse(true);
        MergedAudit all = new MergedAudit(call.query("after"));
        call.query("store").ifPresent(backend::admin);
        List<Obj> unavailable = backend.eachStore(
                call.query("store")
                        .map(List::of)
                        .orElseGet(() -> List.copyOf(backend.installation().stores())),
                store -> all.add(store, backend.admin(store)));
        List<Obj> page = new ArrayList<>();
        int looked = 0;
        while (page.size() < limit && looked < MOST) {
            Optional<MergedAudit.Entry> next = all.next();
            if (next.isEmpty()) {
                break;
            }
            looked++;
            next.filter(each -> wanted.test(each.entry()))
                    .map(each -> AuditShape.of(each.store(), each.entry(), call.isOperator()))
                    .ifPresent(page::add);
        }
        return answers.json(new Obj()
                .list("entries", page)
                .text("next", all.cursor())
                .count("lookedAt", looked)
                .list("unavailable", unavailable));
    }

    private static boolean is(Call call, String parameter, String value) {
        return call.query(parameter).map(value::equals).orElse(true);
    }
}
