package dev.waybill.server.api;

import dev.waybill.admin.AuditEntry;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.server.access.Role;
import dev.waybill.server.http.Answer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The audit of all stores. */
final class AuditRoutes {
    /** Entries of each store that are read at first; more if they do not fill the page. */
    private static final int FIRST = 5_000;

    private static final int MOST = 80_000;
    private static final int TIMES_MORE = 4;

    private final Backend backend;
    private final Answers answers;

    private record Entry(String store, AuditEntry entry) {}

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
                .does("entries, next, unavailable", this::audit));
    }

    private Answer audit(Call call) {
        Optional<Instant> from = call.time("from");
        Optional<Instant> until = call.time("until");
        int skip = call.query("after").map(AuditRoutes::place).orElse(0);
        int limit = call.limit(50, 500);
        Predicate<AuditEntry> wanted = entry -> is(call, "relay", entry.relay())
                && is(call, "who", entry.by().who())
                && is(call, "action", entry.action())
                && call.query("event").map(entry.details()::contains).orElse(true)
                && from.map(time -> !entry.at().isBefore(time)).orElse(true)
                && until.map(time -> entry.at().isBefore(time)).orElse(true);
        List<Entry> all = new ArrayList<>();
        call.query("store").ifPresent(backend::admin);
        List<Obj> unavailable = backend.eachStore(
                call.query("store")
                        .map(List::of)
                        .orElseGet(() -> List.copyOf(backend.installation().stores())),
                store -> find(backend.admin(store), wanted, skip + limit)
                        .forEach(entry -> all.add(new Entry(store, entry))));
        List<Entry> matching = all.stream()
                .sorted(Comparator.comparing((Entry each) -> each.entry.at()).reversed())
                .toList();
        List<Obj> page = matching.stream()
                .skip(skip)
                .limit(limit)
                .map(each -> AuditShape.of(each.store, each.entry, call.isOperator()))
                .toList();
        Obj answer = new Obj().list("entries", page).list("unavailable", unavailable);
        if (skip + limit < matching.size()) {
            answer.text("next", Integer.toString(skip + limit));
        }
        return answers.json(answer);
    }

    /** At least so many that are wanted, and one more if there is one; newest first. */
    private static List<AuditEntry> find(StoreAdmin admin, Predicate<AuditEntry> wanted, int enough) {
        for (int most = FIRST; ; most *= TIMES_MORE) {
            List<AuditEntry> read = admin.audit(most);
            List<AuditEntry> found = read.stream().filter(wanted).toList();
            if (found.size() > enough || read.size() < most || most >= MOST) {
                return found;
            }
        }
    }

    private static int place(String text) {
        if (!text.matches("\\d{1,6}")) {
            throw Json.bad("after is not the next of a page.");
        }
        return Integer.parseInt(text);
    }

    private static boolean is(Call call, String parameter, String value) {
        return call.query(parameter).map(value::equals).orElse(true);
    }
}
