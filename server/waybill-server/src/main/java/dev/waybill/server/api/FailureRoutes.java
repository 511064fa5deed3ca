package dev.waybill.server.api;

import dev.waybill.RelayName;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.RelayStatus;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.server.access.Role;
import dev.waybill.server.http.Answer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/** Parked and dead events. */
final class FailureRoutes {
    private static final int LARGEST_PAGE = 500;

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
                                "Parked and dead events, grouped by relay, type and kind of error.")
                        .query(Field.text("store", "only of this store"), Field.text("relay", "only of this relay"))
                        .does("groups, unavailable", this::groups),
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
                        .does("rows, next, lookedAt", this::rows));
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
        List<Obj> groups = new ArrayList<>();
        List<Obj> unavailable = backend.eachStore(
                call.query("store")
                        .map(List::of)
                        .orElseGet(() -> List.copyOf(backend.installation().stores())),
                store -> groups.addAll(groups(store, only)));
        groups.sort(Comparator.comparing(
                (Obj group) -> -Long.parseLong(String.valueOf(group.map().get("count")))));
        return answers.json(new Obj().list("groups", groups).list("unavailable", unavailable));
    }

    private List<Obj> groups(String store, Optional<String> only) {
        StoreAdmin admin = backend.admin(store);
        List<Obj> groups = new ArrayList<>();
        for (RelayStatus relay : admin.relays()) {
            boolean wanted = only.map(relay.name()::equals).orElse(true);
            if (wanted && (relay.parked() > 0 || relay.dead() > 0)) {
                Failures.Found found =
                        Failures.find(admin, new RelayName(relay.name()), Optional.empty(), event -> true);
                groups.addAll(Failures.groups(store, relay.name(), found, clock.instant()));
            }
        }
        return groups;
    }

    private Answer rows(Call call) {
        StoreAdmin admin = backend.admin(call.part("store"));
        int limit = call.limit(50, LARGEST_PAGE);
        Optional<ParkedState> state = call.query("state").map(FailureRoutes::state);
        Predicate<ParkedEvent> grouped =
                call.query("group").map(Failures::inGroup).orElse(event -> true);
        Predicate<ParkedEvent> wanted = grouped.and(
                event -> call.query("type").map(event.type()::equals).orElse(true));
        boolean all = call.query("type").isEmpty() && call.query("group").isEmpty();
        int page = all ? limit : Failures.MOST / 10;
        ParkedQuery query = new ParkedQuery(Backend.relay(call.part("relay")), state, call.query("after"), page);
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

    private static List<ParkedEvent> read(StoreAdmin admin, ParkedQuery query) {
        try {
            return admin.parked(query);
        } catch (IllegalArgumentException e) {
            throw Json.bad(String.valueOf(e.getMessage()));
        }
    }
}
