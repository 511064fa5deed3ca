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
import java.util.function.Predicate;

/**
 * Parked and dead events of one relay, grouped by type and kind of error. At most {@value #MOST} events are looked at, oldest first.
 */
final class Failures {
    static final int MOST = RelayStatus.COUNTED;
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

    static Found find(StoreAdmin admin, RelayName relay, Optional<ParkedState> state, Predicate<ParkedEvent> wanted) {
        List<ParkedEvent> all = admin.parked(new ParkedQuery(relay, state, Optional.empty(), MOST + 1));
        boolean more = all.size() > MOST;
        return new Found(all.stream().limit(MOST).filter(wanted).toList(), more);
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

    /** The groups as JSON, the biggest first. */
    static List<Obj> groups(String store, String relay, Found found, Instant now) {
        Map<Kind, List<ParkedEvent>> groups = new LinkedHashMap<>();
        found.events()
                .forEach(event -> groups.computeIfAbsent(Kind.of(event), kind -> new ArrayList<>())
                        .add(event));
        return groups.entrySet().stream()
                .sorted(Comparator.comparing((Map.Entry<Kind, List<ParkedEvent>> each) ->
                        -each.getValue().size()))
                .map(each -> new Obj()
                        .text("store", store)
                        .text("relay", relay)
                        .text("group", each.getKey().id())
                        .all(group(each.getValue(), now))
                        .flag("exact", !found.more()))
                .toList();
    }

    private static Obj group(List<ParkedEvent> events, Instant now) {
        ParkedEvent first = events.get(0);
        List<Instant> times = events.stream()
                .flatMap(each -> each.failedAt().stream())
                .sorted()
                .toList();
        Obj one = new Obj()
                .text("state", first.state().name().toLowerCase(Locale.ROOT))
                .text("type", first.type())
                .text("error", error(first))
                .count("count", events.size())
                .count(
                        "holdsKeys",
                        events.stream().filter(ParkedEvent::holdsKey).count())
                .time("firstFailedAt", times.stream().findFirst())
                .time("lastFailedAt", times.isEmpty() ? Optional.empty() : Optional.of(times.get(times.size() - 1)));
        return times.isEmpty()
                ? one
                : one.count("lastHour", since(times, now.minus(Duration.ofHours(1))))
                        .count("lastDay", since(times, now.minus(Duration.ofDays(1))))
                        .count("lastWeek", since(times, now.minus(Duration.ofDays(7))));
    }

    private static long since(List<Instant> times, Instant begin) {
        return times.stream().filter(time -> !time.isBefore(begin)).count();
    }
}
