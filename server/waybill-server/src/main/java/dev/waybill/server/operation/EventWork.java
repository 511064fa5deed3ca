package dev.waybill.server.operation;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.Selection;
import dev.waybill.admin.StoreAdmin;
import java.util.List;

/**
 * Requeues or discards parked and dead events, by their ids.
 *
 * @param ids in the order of the store
 */
public record EventWork(StoreAdmin admin, RelayName relay, Kind kind, List<String> ids) implements Work {
    private static final int LARGEST_STEP = 200;

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
        for (int from = 0; from < ids.size() && progress.goesOn(); from += step) {
            List<String> some = ids.subList(from, Math.min(ids.size(), from + step));
            int done = kind.apply(admin, relay, Selection.of(some), by);
            progress.add(done, some.size() - done, 0);
            if (from + step < ids.size()) {
                progress.pace(some.size());
            }
        }
    }

    @Override
    public void cancelled(String progress, Actor by) {
        admin.note("cancel", progress + " (relay " + relay + ")", by);
    }
}
