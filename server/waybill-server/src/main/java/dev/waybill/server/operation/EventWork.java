package dev.waybill.server.operation;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.Selection;
import dev.waybill.admin.StoreAdmin;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Requeues or discards parked and dead events that are still in the state in which they were previewed. Others were changed by
 * somebody else, and count as skipped.
 *
 * @param events in the order of the store
 */
public record EventWork(StoreAdmin admin, RelayName relay, Kind kind, List<Seen> events) implements Work {
    private static final int LARGEST_STEP = 200;

    /** An event as it was previewed. */
    public record Seen(String id, ParkedState state) {
        public static Seen of(ParkedEvent event) {
            return new Seen(event.eventId(), event.state());
        }
    }

    /** What is done. */
    public enum Kind {
        REQUEUE {
            @Override
            int apply(StoreAdmin admin, RelayName relay, Selection selection, Actor by) {
                return admin.requeue(relay, selection, by);
            }
        },
        DISCARD {
            @Override
            int apply(StoreAdmin admin, RelayName relay, Selection selection, Actor by) {
                return admin.discard(relay, selection, by);
            }
        };

        /** @return how many were changed */
        abstract int apply(StoreAdmin admin, RelayName relay, Selection selection, Actor by);
    }

    @Override
    public void run(Progress progress, Actor by) throws InterruptedException {
        int step = Math.max(1, Math.min(LARGEST_STEP, progress.rate() / 2));
        for (int from = 0; from < events.size() && progress.goesOn(); from += step) {
            List<Seen> some = events.subList(from, Math.min(events.size(), from + step));
            change(some, progress, by);
            if (from + step < events.size()) {
                progress.pace(some.size());
            }
        }
    }

    /** What is done counts at once: the next statement may fail. */
    private void change(List<Seen> some, Progress progress, Actor by) {
        Map<ParkedState, List<String>> byState = new EnumMap<>(ParkedState.class);
        some.forEach(each ->
                byState.computeIfAbsent(each.state, state -> new ArrayList<>()).add(each.id));
        for (Map.Entry<ParkedState, List<String>> each : byState.entrySet()) {
            int done = kind.apply(admin, relay, Selection.of(each.getValue(), each.getKey()), by);
            progress.add(done, each.getValue().size() - done, 0);
        }
    }

    @Override
    public void cancelled(String progress, Actor by) {
        admin.note("cancel", progress + " (relay " + relay + ")", by);
    }
}
