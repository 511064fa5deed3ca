package dev.waybill.server.api;

import dev.waybill.RelayName;
import dev.waybill.admin.ReplayAdmin;
import dev.waybill.admin.ReplayQuery;
import dev.waybill.admin.ReplaySize;
import dev.waybill.admin.ReplayStatus;
import dev.waybill.server.access.Role;
import dev.waybill.server.http.Answer;
import dev.waybill.server.operation.Prepared;
import dev.waybill.server.operation.ReplayWork;
import dev.waybill.server.operation.Target;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Replays. */
final class ReplayRoutes {
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

    private final Backend backend;
    private final Answers answers;
    private final Offers offers;
    private final InstantSource clock;

    ReplayRoutes(Backend backend, Answers answers, Offers offers, InstantSource clock) {
        this.backend = backend;
        this.answers = answers;
        this.offers = offers;
        this.clock = clock;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/api/replays", Role.VIEWER, "Replays of all stores.")
                        .does("replays, unavailable, unsupported", this::list),
                Route.post("/api/replays/preview", Role.OPERATOR, "Shows how many events a replay would send.")
                        .body(
                                Field.text("store", "the store").must(),
                                Field.text("relay", "the relay whose destination, route and format are used")
                                        .must(),
                                Field.text("name", "the name of the replay; otherwise the relay's name and the time"),
                                Field.text("type", "events of this type"),
                                Field.text("aggregateType", "of this aggregate type"),
                                Field.text("aggregateId", "of this aggregate"),
                                Field.text("from", "created at this time or later"),
                                Field.text("until", "created before this time"))
                        .does("Preview", this::preview),
                Route.post("/api/replays/{store}/{name}/cancel", Role.OPERATOR, "Ends a replay early.")
                        .body(Field.text("reason", "why, for the audit").must())
                        .does("the replay", this::cancel));
    }

    private Answer list(Call call) {
        List<Obj> replays = new ArrayList<>();
        List<String> unsupported = new ArrayList<>();
        List<Obj> unavailable = backend.eachStore(
                backend.installation().stores(),
                store -> backend.replays(store)
                        .ifPresentOrElse(
                                admin -> admin.replays()
                                        .forEach(status -> replays.add(shape(store, status, call.isOperator()))),
                                () -> unsupported.add(store)));
        return answers.json(new Obj()
                .list("replays", replays)
                .list("unavailable", unavailable)
                .texts("unsupported", unsupported));
    }

    private static Obj shape(String store, ReplayStatus status, boolean operator) {
        ReplayStatus.Counts counts = status.counts();
        Obj one = new Obj()
                .text("store", store)
                .text("name", status.name())
                .text("state", status.state().name().toLowerCase(Locale.ROOT))
                .flag("running", status.lease().isPresent())
                .flag("paused", status.paused())
                .text("by", status.by().who())
                .text("reason", status.by().why())
                .time("startedAt", status.startedAt())
                .text(
                        "events",
                        operator ? status.query().inWords() : status.query().toString())
                .count("sent", counts.sent())
                .count("notSent", counts.notSent().events())
                .flag("notSentExact", counts.notSent().exact())
                .count("parked", counts.parked())
                .count("dead", counts.dead());
        status.lease().ifPresent(lease -> one.text("owner", lease.owner()));
        return one;
    }

    private ReplayAdmin replays(String store) {
        return backend.replays(store)
                .orElseThrow(
                        () -> Json.bad("Events of this store cannot be replayed: its kind of store has no replays."));
    }

    private Answer preview(Call call) {
        Input body = call.body();
        String store = body.text("store");
        String relay = body.text("relay");
        ReplayAdmin admin = replays(store);
        if (!backend.installation().relaysOf(store).contains(relay)) {
            throw Backend.notFound(
                    "The configuration of this process has no relay of this name for the store: a replay uses its destination.");
        }
        RelayName name =
                Backend.relay(body.find("name").orElseGet(() -> relay + "-replay-" + STAMP.format(clock.instant())));
        ReplayQuery query = query(body);
        ReplaySize size = admin.preview(query);
        if (size.exact() && size.events() == 0) {
            throw Backend.notFound("No event matches.");
        }
        Prepared prepared = new Prepared(
                Target.events("replay", store, relay, query.inWords() + ", as " + name),
                size.events(),
                "",
                false,
                new ReplayWork(
                        admin, name, query, size, () -> backend.installation().plan(relay)));
        return answers.json(offers.show(call, prepared, size.exact(), List.of()).text("name", name.value()));
    }

    private static ReplayQuery query(Input body) {
        try {
            return new ReplayQuery(
                    body.time("from"),
                    body.time("until"),
                    body.find("type"),
                    body.find("aggregateType"),
                    body.find("aggregateId"));
        } catch (IllegalArgumentException e) {
            throw Json.bad(String.valueOf(e.getMessage()));
        }
    }

    private Answer cancel(Call call) {
        return answers.json(replays(call.part("store"))
                .cancel(Backend.relay(call.part("name")), call.actorWithReason())
                .map(status -> shape(call.part("store"), status, true))
                .orElseThrow(() -> Backend.notFound("There is no replay of this name in the store.")));
    }
}
