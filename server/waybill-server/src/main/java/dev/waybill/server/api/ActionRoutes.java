package dev.waybill.server.api;

import dev.waybill.RelayName;
import dev.waybill.admin.EventFilter;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.SelectedEvent;
import dev.waybill.admin.Selection;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.server.access.RefusedException;
import dev.waybill.server.access.Role;
import dev.waybill.server.http.Answer;
import dev.waybill.server.operation.ChangesOfOthers;
import dev.waybill.server.operation.EventWork;
import dev.waybill.server.operation.Prepared;
import dev.waybill.server.operation.Target;
import dev.waybill.server.terminal.ShellWord;
import dev.waybill.spi.Counted;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Requeues and discards parked and dead events: one, some, a group, or all that match. */
final class ActionRoutes {
    private static final int CHUNK = 1_000;
    private static final Set<String> MATCH =
            Set.of("state", "type", "group", "error", "aggregateType", "aggregateId", "key", "from", "until");

    private final Backend backend;
    private final Answers answers;
    private final Offers offers;

    ActionRoutes(Backend backend, Answers answers, Offers offers) {
        this.backend = backend;
        this.answers = answers;
        this.offers = offers;
    }

    List<Route> routes() {
        return List.of(
                Route.post(
                                "/api/actions/preview",
                                Role.OPERATOR,
                                "Shows what requeueing or discarding events would do.")
                        .body(
                                Field.text("action", "requeue or discard").must(),
                                Field.text("store", "the store").must(),
                                Field.text("relay", "the relay").must(),
                                Field.list("ids", "ids of events, at most 1000"),
                                Field.object(
                                        "match",
                                        "instead of ids: state (dead, due or waiting), and type, group, error, aggregateType,"
                                                + " aggregateId, key, from, until"))
                        .large()
                        .does("Preview", this::preview),
                Route.post("/api/actions/start", Role.OPERATOR, "Does what a preview showed.")
                        .body(
                                Field.text("token", "of the preview").must(),
                                Field.text("reason", "why, for the audit; required for what cannot be undone"),
                                Field.whole("rate", "per second at most, 1 to 10000; 500"),
                                Field.text("confirm", "what the preview asked for"))
                        .does("Operation", this::start));
    }

    private Answer preview(Call call) {
        Input body = call.body();
        EventWork.Kind kind = kind(body.text("action"));
        String store = body.text("store");
        StoreAdmin admin = backend.admin(store);
        RelayName relay = Backend.relay(body.text("relay"));
        if (body.has("ids") == body.has("match")) {
            throw Json.bad("Give ids or match, and not both.");
        }
        // This reads the audit: a store that does not answer fails here, and takes no room in the lane.
        Wanted wanted = new Wanted(kind, store, admin, relay, new ChangesOfOthers(admin, relay));
        return backend.lanes().large(Role.OPERATOR, () -> preview(call, wanted));
    }

    /** What is done to events that are yet to be found. */
    private record Wanted(
            EventWork.Kind kind, String store, StoreAdmin admin, RelayName relay, ChangesOfOthers others) {
        EventWork to(List<ParkedEvent> events, String words) {
            List<SelectedEvent> selected = events.stream()
                    .map(event -> new SelectedEvent(event.eventId(), event.state()))
                    .toList();
            return new EventWork(admin, relay, kind, selected, words, others);
        }
    }

    private Answer preview(Call call, Wanted wanted) {
        RelayName relay = wanted.relay;
        Input body = call.body();
        Chosen chosen = body.has("ids")
                ? byIds(wanted.admin, relay, body.texts("ids", CHUNK))
                : matching(wanted.admin, relay, body);
        boolean discards = wanted.kind == EventWork.Kind.DISCARD;
        List<ParkedEvent> events = chosen.found.events().stream()
                .filter(event -> discards || event.state() != ParkedState.WAITING)
                .toList();
        if (events.isEmpty()) {
            throw Backend.notFound(
                    chosen.found.events().isEmpty()
                            ? chosen.none()
                            : "These events wait behind an earlier one of their key, and go on by themselves when it is published"
                                    + " or discarded: requeue that one.");
        }
        Prepared prepared = new Prepared(
                Target.events(word(wanted.kind), wanted.store, relay.value(), chosen.words),
                events.size(),
                Offers.confirm(discards, events.size(), relay.value()),
                discards,
                wanted.to(events, body.has("ids") ? "" : chosen.words));
        Obj shown = offers.show(call, prepared, chosen.looked.isEmpty(), samples(events));
        if (!discards) {
            shown.count("late", chosen.found.late());
            shown.count("waiting", chosen.found.events().size() - events.size());
        }
        return answers.json(shown.text(
                "command",
                chosen.command.map(selection -> "waybill " + word(wanted.kind) + " --relay " + relay
                        + (discards ? " --reason TEXT" : "") + selection)));
    }

    private static List<Obj> samples(List<ParkedEvent> events) {
        return events.stream().limit(Offers.SAMPLES).map(EventShape::parked).toList();
    }

    private static EventWork.Kind kind(String word) {
        return switch (word) {
            case "requeue" -> EventWork.Kind.REQUEUE;
            case "discard" -> EventWork.Kind.DISCARD;
            default -> throw Json.bad("The action must be requeue or discard.");
        };
    }

    private static String word(EventWork.Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    /**
     * Events that were chosen.
     *
     * @param looked among which events they were looked for, if not among all
     * @param command the selection for the command line; empty if it has no such one, or not as text to paste
     */
    private record Chosen(Failures.Found found, Optional<String> looked, String words, Optional<String> command) {
        String none() {
            return looked.map(some ->
                            "None of " + some + " matches, and others were not looked at: select events by their"
                                    + " ids, or by state, type and group only.")
                    .orElse("The relay has none of these events: they were changed meanwhile, or never existed.");
        }
    }

    private static Chosen byIds(StoreAdmin admin, RelayName relay, List<String> given) {
        Set<String> wanted = new LinkedHashSet<>(given);
        Failures.Found found = new Failures.Found(seen(admin, relay, wanted), false);
        List<String> ids = found.events().stream().map(ParkedEvent::eventId).toList();
        return new Chosen(
                found,
                Optional.empty(),
                Counted.of(ids.size(), "event") + " by id",
                ids.size() > Offers.SAMPLES || !ids.stream().allMatch(ShellWord::isPossible)
                        ? Optional.empty()
                        : Optional.of(words(ids)));
    }

    private static String words(List<String> ids) {
        return (ids.stream().anyMatch(id -> id.startsWith("-")) ? " -- " : " ")
                + ids.stream().map(ShellWord::quoted).collect(Collectors.joining(" "));
    }

    /** Those that are parked or dead. One statement finds all but those of a relay with very many. */
    private static List<ParkedEvent> seen(StoreAdmin admin, RelayName relay, Set<String> ids) {
        Failures.Found first = Failures.find(admin, relay, Optional.empty(), event -> ids.contains(event.eventId()));
        List<ParkedEvent> seen = new ArrayList<>(first.events());
        if (first.more()) {
            Set<String> missing = new LinkedHashSet<>(ids);
            seen.forEach(event -> missing.remove(event.eventId()));
            missing.forEach(id -> admin.show(id).stream()
                    .flatMap(event -> event.relays().stream())
                    .filter(entry -> entry.relay().equals(relay.value()))
                    .flatMap(entry -> entry.parked().stream())
                    .forEach(seen::add));
        }
        return seen;
    }

    private static Chosen matching(StoreAdmin admin, RelayName relay, Input body) {
        Input match = body.object("match");
        match.keys().forEach(key -> {
            if (!MATCH.contains(key)) {
                throw Json.bad("match has no field of that name: use " + String.join(", ", MATCH) + ".");
            }
        });
        ParkedState state = FailureRoutes.state(match.text("state"));
        EventFilter filter = EventRoutes.filter(match);
        Optional<String> group = match.find("group");
        Optional<String> error = match.find("error");
        Predicate<ParkedEvent> grouped = group.map(Failures::inGroup).orElse(event -> true);
        boolean byType = filter.equals(EventFilter.ALL)
                || filter.type().map(EventFilter.ALL::type).map(filter::equals).orElse(false);
        Failures.Found parked = Failures.find(
                admin,
                relay,
                Optional.of(state),
                event -> filter.type().map(event.type()::equals).orElse(true)
                        && grouped.test(event)
                        && error.map(part -> event.error().orElse("").contains(part))
                                .orElse(true));
        FilteredEvents.Found filtered = byType
                ? FilteredEvents.all(parked.events())
                : FilteredEvents.of(admin, relay, filter).among(parked.events());
        Failures.Found found = new Failures.Found(filtered.events(), parked.more());
        String words = new Selection.Matching(state, filter, error).inWords()
                + group.flatMap(id -> found.events().stream().findFirst())
                        .map(event -> (filter.type().isPresent() ? "" : ", type " + event.type()) + ", errors like: "
                                + Failures.error(event))
                        .orElse("");
        return new Chosen(
                found,
                found.more()
                        ? Optional.of("the oldest " + Counted.of(Failures.MOST, "parked event"))
                        : filtered.looked(),
                words,
                group.isPresent()
                                || !byType
                                || error.isPresent()
                                || !filter.type().map(ShellWord::isPossible).orElse(true)
                        ? Optional.empty()
                        : Optional.of(" --state " + match.text("state")
                                + filter.type()
                                        .map(type -> " --type=" + ShellWord.quoted(type))
                                        .orElse("")));
    }

    private Answer start(Call call) {
        Input body = call.body();
        String token = body.text("token");
        Prepared prepared =
                backend.operations().find(token, call.caller().name()).orElseThrow(ActionRoutes::expired);
        if (!prepared.confirm().isEmpty()
                && !body.find("confirm").filter(prepared.confirm()::equals).isPresent()) {
            throw Backend.conflict("Type " + prepared.confirm() + " in confirm: nothing was changed.");
        }
        int rate = body.whole("rate", 500, 1, 10_000);
        return answers.json(backend.operations()
                .start(token, prepared.reasonRequired() ? call.actorWithReason() : call.actor(), rate)
                .map(view -> OperationShape.of(view, true))
                .orElseThrow(ActionRoutes::expired));
    }

    private static RefusedException expired() {
        return new RefusedException(
                "410 Gone",
                "expired",
                "The preview has expired, was used, or is not yours: make a new one. Nothing was changed.");
    }
}
