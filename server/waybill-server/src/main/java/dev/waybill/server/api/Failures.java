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

    /** The groups as JSON, the biggest first. */
    static List<Obj> groups(String store, String relay, Found found, Instant now) {
        Map<Kind, Group> groups = new LinkedHashMap<>();
        found.events()
                .forEach(event -> groups.computeIfAbsent(Kind.of(event), kind -> new Group(now))
                        .add(event));
        return groups.entrySet().stream()
                .sorted(Comparator.comparing((Map.Entry<Kind, Group> each) -> -each.getValue().count))
                .map(each -> new Obj()
                        .text("store", store)
                        .text("relay", relay)
                        .all(each.getKey().json())
                        .all(each.getValue().json())
                        .flag("exact", !found.more()))
                .toList();
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
