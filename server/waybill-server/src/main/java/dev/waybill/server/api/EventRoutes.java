package dev.waybill.server.api;

import dev.waybill.Payload;
import dev.waybill.admin.Actor;
import dev.waybill.admin.EventFilter;
import dev.waybill.admin.EventHistory;
import dev.waybill.admin.EventListing;
import dev.waybill.admin.EventQuery;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.server.access.RefusedException;
import dev.waybill.server.access.Role;
import dev.waybill.server.http.Answer;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Single events. */
final class EventRoutes {
    private static final int MOST_PAYLOAD = 262_144;
    private static final int LARGEST_PAGE = 500;
    /** Entries of the audit that are looked at for one event. */
    private static final int AUDIT_ENTRIES = 20_000;

    private final Backend backend;
    private final Answers answers;

    EventRoutes(Backend backend, Answers answers) {
        this.backend = backend;
        this.answers = answers;
    }

    List<Route> routes() {
        return List.of(
                Route.post("/api/events/search", Role.VIEWER, "Events, newest first, page by page.")
                        .body(
                                Field.text("store", "the store").must(),
                                Field.text("relay", "the state with this relay only"),
                                Field.text("state", "needs a relay: pending, published, parked, dead or discarded"),
                                Field.text("id", "the event with this id"),
                                Field.text("type", "its type"),
                                Field.text("aggregateType", "its aggregate type"),
                                Field.text("aggregateId", "its aggregate id"),
                                Field.text("key", "its key"),
                                Field.text("from", "created at this time or later"),
                                Field.text("until", "created before this time"),
                                Field.text("after", "next of the previous page"),
                                Field.whole("limit", "events at most; 50, at most 500"))
                        .does("events, next, lookedAt", this::search),
                Route.get("/api/events/{store}/{id}", Role.VIEWER, "One event and what each relay did with it.")
                        .does("the event, relays, audit, auditLookedAt, auditMore", this::show),
                Route.post("/api/events/{store}/{id}/payload", Role.OPERATOR, "The payload; the audit records it.")
                        .body(Field.text("reason", "why, for the audit").must())
                        .does("contentType, bytes, text or base64, cut", this::payload));
    }

    static EventFilter filter(Input body) {
        try {
            return new EventFilter(
                    body.find("type"),
                    body.find("aggregateType"),
                    body.find("aggregateId"),
                    body.find("key"),
                    body.time("from"),
                    body.time("until"));
        } catch (IllegalArgumentException e) {
            throw Json.bad(String.valueOf(e.getMessage()));
        }
    }

    private Answer search(Call call) {
        Input body = call.body();
        String store = body.text("store");
        StoreAdmin admin = backend.admin(store);
        if (body.find("id").isPresent()) {
            List<Obj> found = admin.show(body.text("id")).stream()
                    .map(event -> EventShape.history(store, event, call.isOperator()))
                    .toList();
            return answers.json(new Obj().list("events", found).count("lookedAt", 1));
        }
        if (!call.isOperator() && (body.has("aggregateId") || body.has("key"))) {
            throw new RefusedException(
                    "403 Forbidden",
                    "not-allowed",
                    "Searching by aggregate id or key needs the role operator, because it tells which ones exist; you have"
                            + " viewer.");
        }
        EventListing page = page(admin, query(body));
        return answers.json(new Obj()
                .list(
                        "events",
                        page.events().stream()
                                .map(event -> EventShape.summary(store, event, call.isOperator()))
                                .toList())
                .text("next", page.next())
                .count("lookedAt", page.lookedAt()));
    }

    private static EventListing page(StoreAdmin admin, EventQuery query) {
        try {
            return admin.events(query);
        } catch (IllegalArgumentException e) {
            throw Json.bad(String.valueOf(e.getMessage()));
        }
    }

    private static EventQuery query(Input body) {
        try {
            return new EventQuery(
                    filter(body),
                    body.find("relay").map(Backend::relay),
                    body.find("state").map(EventRoutes::state),
                    body.find("after"),
                    body.whole("limit", 50, 1, LARGEST_PAGE));
        } catch (IllegalArgumentException e) {
            throw Json.bad(String.valueOf(e.getMessage()));
        }
    }

    private static EventHistory.State state(String word) {
        return Arrays.stream(EventHistory.State.values())
                .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(word))
                .findFirst()
                .orElseThrow(() -> Json.bad("The state must be pending, published, parked, dead or discarded."));
    }

    private Answer show(Call call) {
        String store = call.part("store");
        StoreAdmin admin = backend.admin(store);
        EventHistory event = admin.show(call.part("id")).orElseThrow(EventRoutes::noEvent);
        MergedAudit all = new MergedAudit(Optional.empty());
        all.add(store, admin);
        List<Obj> audit = new ArrayList<>();
        int looked = 0;
        for (Optional<MergedAudit.Entry> next = all.next(); next.isPresent(); next = all.next()) {
            next.map(MergedAudit.Entry::entry)
                    .filter(entry -> AuditShape.names(entry, event.id()))
                    .map(entry -> AuditShape.of(store, entry, call.isOperator()))
                    .ifPresent(audit::add);
            looked++;
            if (looked == AUDIT_ENTRIES) {
                break;
            }
        }
        return answers.json(EventShape.history(store, event, call.isOperator())
                .list("audit", audit)
                .count("auditLookedAt", looked)
                .flag("auditMore", all.cursor().isPresent()));
    }

    private static RefusedException noEvent() {
        return Backend.notFound(
                "There is no event with this id in the store: never appended here, rolled back, or deleted by retention.");
    }

    private Answer payload(Call call) {
        Actor by = call.actorWithReason();
        Payload payload =
                backend.admin(call.part("store")).payload(call.part("id"), by).orElseThrow(EventRoutes::noEvent);
        byte[] bytes = payload.bytes();
        Obj answer = new Obj().text("contentType", payload.contentType()).whole("bytes", bytes.length);
        byte[] shown = bytes.length > MOST_PAYLOAD ? Arrays.copyOf(bytes, MOST_PAYLOAD) : bytes;
        if (shown.length < bytes.length) {
            answer.flag("cut", true);
        }
        text(shown, shown.length < bytes.length)
                .ifPresentOrElse(
                        text -> answer.text("text", text),
                        () -> answer.text("base64", Base64.getEncoder().encodeToString(shown)));
        return answers.json(answer);
    }

    /** Empty if it is not text. */
    private static Optional<String> text(byte[] bytes, boolean cut) {
        int end = bytes.length;
        // A character that was cut apart is left out.
        for (int i = 0; cut && i < 3 && end > 0 && (bytes[end - 1] & 0xC0) == 0x80; i++) {
            end--;
        }
        if (cut && end > 0 && (bytes[end - 1] & 0x80) != 0) {
            end--;
        }
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, 0, end))
                    .toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }
}
