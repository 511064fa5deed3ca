package dev.waybill.server.api;

import dev.waybill.RelayName;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.RelayStatus;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.server.access.TokenHash;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Parked and dead events of one relay, grouped by type and kind of error. At most {@value #MOST} events are looked at, oldest first.
 */
final class Failures {
    static final int MOST = RelayStatus.COUNTED;
    /** Errors may be long, so that few are in memory at a time. */
    private static final int PAGE = MOST / 5;

    private static final int ID_LENGTH = 16;
    private static final String BEHIND = "waits behind an earlier event of its key";

    /**
     * Events that matched.
     *
     * @param more whether there may be others that were not looked at
     */
    record Found(List<ParkedEvent> events, boolean more) {
        /** Dead events that arrive after later ones of their key if they are requeued. */
        long late() {
            return events.stream()
                    .filter(event -> event.state() == ParkedState.DEAD && !event.holdsKey())
                    .count();
        }
    }

    private Failures() {}

    static boolean hasSome(StoreAdmin admin, RelayName relay) {
        return !admin.parked(new ParkedQuery(relay, Optional.empty(), Optional.empty(), 1))
                .isEmpty();
    }

    /** Events that match, with the beginning of their errors that tells their kind. */
    static Found find(StoreAdmin admin, RelayName relay, Optional<ParkedState> state, Predicate<ParkedEvent> wanted) {
        List<ParkedEvent> found = new ArrayList<>();
        boolean more = each(admin, relay, state, event -> {
            if (wanted.test(event)) {
                found.add(shortened(event));
            }
        });
        return new Found(found, more);
    }

    /** @return whether there are others that were not looked at */
    private static boolean each(
            StoreAdmin admin, RelayName relay, Optional<ParkedState> state, Consumer<ParkedEvent> action) {
        ParkedQuery query = new ParkedQuery(relay, state, Optional.empty(), PAGE);
        for (int looked = 0; looked < MOST; looked += PAGE) {
            List<ParkedEvent> page = admin.parked(query);
            page.forEach(action);
            if (page.size() < PAGE) {
                return false;
            }
            query = query.after(page.get(PAGE - 1).cursor());
        }
        return !admin.parked(query.atMost(1)).isEmpty();
    }

    private static ParkedEvent shortened(ParkedEvent event) {
        return new ParkedEvent(
                event.cursor(),
                event.eventId(),
                event.type(),
                event.state(),
                event.attempts(),
                event.error().map(ErrorText::beginning),
                event.nextAttemptAt(),
                event.failedAt(),
                event.holdsKey());
    }

    /** The kind of error. */
    static String error(ParkedEvent event) {
        return event.error().map(ErrorText::normalised).orElse(event.state() == ParkedState.WAITING ? BEHIND : "");
    }

    /** What the events of a group have in common. */
    private record Kind(ParkedState state, String type, String error) {
        static Kind of(ParkedEvent event) {
            return new Kind(event.state(), event.type(), Failures.error(event));
        }

        Obj json() {
            return new Obj()
                    .text("group", id())
                    .text("state", state.name().toLowerCase(Locale.ROOT))
                    .text("type", type)
                    .text("error", error);
        }

        /** Short, and the same in every process. */
        String id() {
            String hash = TokenHash.make(state + "\n" + type + "\n" + error).text();
            return hash.substring(hash.indexOf(':') + 1).substring(0, ID_LENGTH);
        }
    }

    /** Whether an event is in the group of this id. Remembers what it saw, for one request. */
    static Predicate<ParkedEvent> inGroup(String id) {
        Map<Kind, Boolean> known = new HashMap<>();
        return event -> known.computeIfAbsent(Kind.of(event), kind -> kind.id().equals(id));
    }

    /**
     * Groups as JSON, the biggest first.
     *
     * @param smaller how many smaller ones are left out
     */
    record Groups(List<Obj> shown, int smaller) {
        static final Groups NONE = new Groups(List.of(), 0);
        static final int MOST_SHOWN = 1_000;

        static Groups biggest(List<Obj> groups, int leftOut) {
            List<Obj> shown = groups.stream()
                    .sorted(Comparator.comparing((Obj group) ->
                            -Long.parseLong(String.valueOf(group.map().get("count")))))
                    .limit(MOST_SHOWN)
                    .toList();
            return new Groups(shown, leftOut + groups.size() - shown.size());
        }

        Groups with(Groups more) {
            List<Obj> all = new ArrayList<>(shown);
            all.addAll(more.shown);
            return biggest(all, smaller + more.smaller);
        }
    }

    static Groups groups(String store, StoreAdmin admin, RelayName relay, Instant now) {
        Map<Kind, Group> groups = new LinkedHashMap<>();
        boolean more = each(
                admin,
                relay,
                Optional.empty(),
                event -> groups.computeIfAbsent(Kind.of(event), kind -> new Group(now))
                        .add(event));
        List<Obj> shown = groups.entrySet().stream()
                .sorted(Comparator.comparing((Map.Entry<Kind, Group> each) -> -each.getValue().count))
                .limit(Groups.MOST_SHOWN)
                .map(each -> new Obj()
                        .text("store", store)
                        .text("relay", relay.value())
                        .all(each.getKey().json())
                        .all(each.getValue().json())
                        .flag("exact", !more))
                .toList();
        return new Groups(shown, groups.size() - shown.size());
    }

    /** The numbers of a group, in one pass: there may be 10,000 events. */
    private static final class Group {
        private final Instant hourAgo;
        private final Instant dayAgo;
        private final Instant weekAgo;
        private long count;
        private long holdsKeys;
        private Optional<Instant> first = Optional.empty();
        private Optional<Instant> last = Optional.empty();
        private long lastHour;
        private long lastDay;
        private long lastWeek;

        Group(Instant now) {
            hourAgo = now.minus(Duration.ofHours(1));
            dayAgo = now.minus(Duration.ofDays(1));
            weekAgo = now.minus(Duration.ofDays(7));
        }

        void add(ParkedEvent event) {
            count++;
            holdsKeys += event.holdsKey() ? 1 : 0;
            event.failedAt().ifPresent(this::add);
        }

        private void add(Instant failedAt) {
            if (first.isEmpty() || failedAt.isBefore(first.get())) {
                first = Optional.of(failedAt);
            }
            if (last.isEmpty() || failedAt.isAfter(last.get())) {
                last = Optional.of(failedAt);
            }
            lastHour += failedAt.isBefore(hourAgo) ? 0 : 1;
            lastDay += failedAt.isBefore(dayAgo) ? 0 : 1;
            lastWeek += failedAt.isBefore(weekAgo) ? 0 : 1;
        }

        Obj json() {
            Obj one = new Obj()
                    .count("count", count)
                    .count("holdsKeys", holdsKeys)
                    .time("firstFailedAt", first)
                    .time("lastFailedAt", last);
            return first.isEmpty()
                    ? one
                    : one.count("lastHour", lastHour).count("lastDay", lastDay).count("lastWeek", lastWeek);
        }
    }
}
