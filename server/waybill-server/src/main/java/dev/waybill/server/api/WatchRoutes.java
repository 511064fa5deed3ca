package dev.waybill.server.api;

import dev.waybill.admin.Actor;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.server.access.RefusedException;
import dev.waybill.server.access.Role;
import dev.waybill.server.http.Answer;
import dev.waybill.server.live.Point;
import dev.waybill.server.live.Series;
import dev.waybill.server.live.StoreSample;
import dev.waybill.spi.StoreException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/** Everything that is seen at a glance, and single relays. */
final class WatchRoutes {
    private static final String RELAY = "/api/relays/{store}/{relay}";
    private static final Field REASON = Field.text("reason", "why, for the audit");

    private final Backend backend;
    private final Answers answers;
    private final Overview overview;
    private final RelayShape relays;
    private final Checks checks;
    private final LiveStreams streams;

    WatchRoutes(
            Backend backend,
            Answers answers,
            Overview overview,
            RelayShape relays,
            Checks checks,
            LiveStreams streams) {
        this.backend = backend;
        this.answers = answers;
        this.overview = overview;
        this.relays = relays;
        this.checks = checks;
        this.streams = streams;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/api/overview", Role.VIEWER, "The newest sample of every store.")
                        .does("Overview", call -> {
                            backend.sampler().look();
                            return answers.json(overview.now());
                        }),
                Route.get("/api/live", Role.VIEWER, "A stream of server-sent events.")
                        .does("events overview, operation, checks and bye", streams::open),
                Route.get("/api/series", Role.VIEWER, "The numbers of a relay over time.")
                        .query(
                                Field.text("store", "the store").must(),
                                Field.text("relay", "the relay").must(),
                                Field.text("range", "15m, 3h or 24h"))
                        .does("Series", this::series),
                Route.get(RELAY, Role.VIEWER, "One relay and its configuration.")
                        .does("relay, configuration", this::relay),
                Route.post(RELAY + "/pause", Role.OPERATOR, "Stops claiming, in every process, until it is resumed.")
                        .body(REASON.must())
                        .does("relay", call -> change(call, call.actorWithReason(), StoreAdmin::pause)),
                Route.post(RELAY + "/resume", Role.OPERATOR, "Lets a paused relay continue.")
                        .body(REASON)
                        .does("relay", call -> change(call, call.actor(), StoreAdmin::resume)),
                Route.post(RELAY + "/drop", Role.OPERATOR, "Removes a relay with its position and its parked events.")
                        .body(
                                REASON.must(),
                                Field.text("confirm", "the name of the relay").must())
                        .does("nothing", this::drop),
                Route.get("/api/checks", Role.VIEWER, "The findings of the last examination.")
                        .does("at, running, findings", call -> answers.json(checks.json())),
                Route.post("/api/checks/run", Role.VIEWER, "Examines everything, unless an examination is under way.")
                        .does("at, running, findings", call -> {
                            checks.begin();
                            return answers.json(checks.json());
                        }));
    }

    private Answer series(Call call) {
        String store = call.query("store").orElseThrow(() -> Json.bad("The parameter store is missing."));
        String relay = call.query("relay").orElseThrow(() -> Json.bad("The parameter relay is missing."));
        String word = call.query("range").orElse(Series.Range.MINUTES_15.word());
        Series.Range range = Arrays.stream(Series.Range.values())
                .filter(each -> each.word().equals(word))
                .findFirst()
                .orElseThrow(() -> Json.bad("The range must be 15m, 3h or 24h."));
        sample(store);
        backend.sampler().look();
        return answers.json(new Obj()
                .text("store", store)
                .text("relay", relay)
                .text("range", range.word())
                .whole("stepSeconds", (int) range.step().toSeconds())
                .list(
                        "points",
                        backend.sampler().points(store, relay, range).stream()
                                .map(WatchRoutes::point)
                                .toList()));
    }

    private static Obj point(Point point) {
        return new Obj()
                .time("at", Instant.ofEpochMilli(point.at()))
                .number("published", point.published())
                .number("backlog", point.backlog())
                .number("oldest", point.oldest())
                .number("p50", point.p50())
                .number("p95", point.p95())
                .number("p99", point.p99());
    }

    private StoreSample sample(String store) {
        return backend.sampler()
                .sample(store)
                .orElseThrow(
                        () -> Backend.notFound("There is no store of this name in the configuration of the process."));
    }

    private Answer relay(Call call) {
        backend.sampler().look();
        StoreSample sample = sample(call.part("store"));
        String name = call.part("relay");
        Obj found = relays.find(sample, name).orElseThrow(() -> sample.isKnown() ? noRelay() : unknown(sample));
        Obj answer = new Obj()
                .object("relay", found)
                .seconds("ageSeconds", sample.age(Instant.now()))
                .text("error", sample.unavailable().map(StoreSample.Unavailable::why))
                .time("unavailableSince", sample.unavailable().map(StoreSample.Unavailable::since));
        if (backend.installation().relaysOf(sample.store()).contains(name)) {
            answer.text("configuration", backend.installation().relayText(name));
        }
        return answers.json(answer);
    }

    private static RefusedException noRelay() {
        return Backend.notFound("There is no relay of this name in the store.");
    }

    private static StoreException unknown(StoreSample sample) {
        return new StoreException("It is not known whether the store " + sample.store() + " has this relay: "
                + sample.unavailable().map(StoreSample.Unavailable::why).orElse("it has not been read yet") + ".");
    }

    /** Changes a relay; false if the store does not know it. */
    private interface Change {
        boolean of(StoreAdmin admin, dev.waybill.RelayName relay, Actor by);
    }

    private Answer change(Call call, Actor by, Change change) {
        StoreAdmin admin = backend.admin(call.part("store"));
        if (!change.of(admin, Backend.relay(call.part("relay")), by)) {
            throw noRelay();
        }
        StoreSample now = sample(call.part("store")).with(admin.relays(), Instant.now());
        return answers.json(
                new Obj().object("relay", relays.find(now, call.part("relay")).orElseThrow(WatchRoutes::noRelay)));
    }

    private Answer drop(Call call) {
        Actor by = call.actorWithReason();
        if (!call.body().text("confirm").equals(call.part("relay"))) {
            throw Backend.conflict("The name in confirm is not the relay's: nothing was changed.");
        }
        if (!backend.admin(call.part("store")).drop(Backend.relay(call.part("relay")), by)) {
            throw noRelay();
        }
        return answers.json(new Obj());
    }
}
