package dev.waybill.server.api;

import dev.waybill.RelayName;
import dev.waybill.admin.Followers;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.server.access.Role;
import dev.waybill.server.http.Answer;
import dev.waybill.server.live.StoreSample;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Parked and dead events. */
final class FailureRoutes {
    private static final int LARGEST_PAGE = 500;
    private static final int MOST_BEHIND = 1_000;

    private final Backend backend;
    private final Answers answers;
    private final InstantSource clock;

    FailureRoutes(Backend backend, Answers answers, InstantSource clock) {
        this.backend = backend;
        this.answers = answers;
        this.clock = clock;
    }

    List<Route> routes() {
        return List.of(
                Route.get(
                                "/api/failures",
                                Role.VIEWER,
                                "Parked and dead events, grouped by relay, type and kind of error: the 1000 biggest groups.")
                        .query(Field.text("store", "only of this store"), Field.text("relay", "only of this relay"))
                        .large()
                        .does("groups, smaller, unavailable", this::groups),
                Route.get(
                                "/api/failures/{store}/{relay}/rows",
                                Role.VIEWER,
                                "Parked and dead events of a relay, oldest first.")
                        .query(
                                Field.text("state", "dead, due or waiting"),
                                Field.text("type", "only of this type"),
                                Field.text("group", "only of this group"),
                                Field.text("after", "next of the previous page"),
                                Field.whole("limit", "rows at most; 50, at most 500"))
                        .large()
                        .does("rows, next, lookedAt", this::rows),
                Route.get(
                                "/api/failures/{store}/{relay}/behind/{id}",
                                Role.VIEWER,
                                "Events of the same key that wait behind a parked or dead one, oldest first.")
                        .query(Field.whole("limit", "rows at most; 50, at most 1000"))
                        .does("count, more, rows", this::behind));
    }

    static ParkedState state(String word) {
        return Arrays.stream(ParkedState.values())
                .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(word))
                .findFirst()
                .orElseThrow(() -> Json.bad("The state must be dead, due or waiting."));
    }

    private Answer groups(Call call) {
        Optional<String> only = call.query("relay");
        call.query("store").ifPresent(backend::admin);
        Failures.Groups[] groups = {Failures.Groups.NONE};
        List<Obj> unavailable = backend.eachStore(
                call.query("store")
                        .map(List::of)
                        .orElseGet(() -> List.copyOf(backend.installation().stores())),
                store -> groups[0] = groups[0].with(groups(store, only)));
        return answers.json(new Obj()
                .list("groups", groups[0].shown())
                .count("smaller", groups[0].smaller())
                .list("unavailable", unavailable));
    }

    private Failures.Groups groups(String store, Optional<String> only) {
        StoreAdmin admin = backend.admin(store);
        Failures.Groups groups = Failures.Groups.NONE;
        for (String relay : relays(store, admin)) {
            // Others may have written a name that no relay can have.
            if (only.map(relay::equals).orElse(true) && RelayName.isAllowed(relay)) {
                groups = groups.with(groups(store, admin, new RelayName(relay)));
            }
        }
        return groups;
    }

    private Failures.Groups groups(String store, StoreAdmin admin, RelayName relay) {
        return Failures.hasSome(admin, relay)
                ? backend.lanes().large(Role.VIEWER, () -> Failures.groups(store, admin, relay, clock.instant()))
                : Failures.Groups.NONE;
    }

    /** Names from the newest sample: the status, which counts, costs more than to find that a relay has no failures. */
    private Set<String> relays(String store, StoreAdmin admin) {
        Optional<StoreSample> sample =
                backend.sampler().sample(store).filter(known -> known.at().isPresent());
        Set<String> names = new LinkedHashSet<>(backend.installation().relaysOf(store));
        sample.map(StoreSample::relays).orElseGet(admin::relays).forEach(relay -> names.add(relay.name()));
        return names;
    }

    private Answer rows(Call call) {
        StoreAdmin admin = backend.admin(call.part("store"));
        RelayName relay = Backend.relay(call.part("relay"));
        boolean all = call.query("type").isEmpty() && call.query("group").isEmpty();
        return all || !Failures.hasSome(admin, relay)
                ? rows(call, admin, relay, all)
                : backend.lanes().large(Role.VIEWER, () -> rows(call, admin, relay, false));
    }

    /** @param all whether none is left out, so that no more are read than shown */
    private Answer rows(Call call, StoreAdmin admin, RelayName relay, boolean all) {
        int limit = call.limit(50, LARGEST_PAGE);
        Optional<ParkedState> state = call.query("state").map(FailureRoutes::state);
        Predicate<ParkedEvent> grouped =
                call.query("group").map(Failures::inGroup).orElse(event -> true);
        Predicate<ParkedEvent> wanted = grouped.and(
                event -> call.query("type").map(event.type()::equals).orElse(true));
        int page = all ? limit : Failures.MOST / 10;
        ParkedQuery query = new ParkedQuery(relay, state, call.query("after"), page);
        List<ParkedEvent> rows = new ArrayList<>();
        Optional<String> next = Optional.empty();
        int looked = 0;
        do {
            List<ParkedEvent> read = read(admin, query);
            next = Optional.empty();
            for (int i = 0; i < read.size() && rows.size() < limit; i++) {
                ParkedEvent each = read.get(i);
                looked++;
                if (wanted.test(each)) {
                    rows.add(each);
                }
                next = i + 1 < read.size() || read.size() == page ? Optional.of(each.cursor()) : Optional.empty();
            }
            query = next.map(query::after).orElse(query);
        } while (next.isPresent() && rows.size() < limit && looked < Failures.MOST);
        return answers.json(new Obj()
                .list("rows", rows.stream().map(EventShape::parked).toList())
                .text("next", next)
                .count("lookedAt", looked));
    }

    private Answer behind(Call call) {
        int limit = call.limit(50, MOST_BEHIND);
        Followers followers = backend.admin(call.part("store"))
                .waitingBehind(Backend.relay(call.part("relay")), call.part("id"), MOST_BEHIND);
        return answers.json(new Obj()
                .count("count", followers.events().size())
                .flag("more", !followers.all())
                .list(
                        "rows",
                        followers.events().stream()
                                .limit(limit)
                                .map(EventShape::parked)
                                .toList()));
    }

    private static List<ParkedEvent> read(StoreAdmin admin, ParkedQuery query) {
        try {
            return admin.parked(query);
        } catch (IllegalArgumentException e) {
            throw Json.bad(String.valueOf(e.getMessage()));
        }
    }
}
