package dev.waybill.server.operation;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.ChangedEvents;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.SelectedEvent;
import dev.waybill.admin.Selection;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.spi.StoreRefusedException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Requeues or discards parked and dead events that are still in the state in which they were previewed, and that nobody has
 * requeued since. Others were changed by somebody else, and count as skipped.
 *
 * @param events in the order of the store
 * @param words the selection that found them, for the audit; empty if they were given by id
 * @param others what others have changed since the preview
 */
public record EventWork(
        StoreAdmin admin, RelayName relay, Kind kind, List<SelectedEvent> events, String words, ChangesOfOthers others)
        implements Work {
    private static final int LARGEST_STEP = 200;

    /** Limits the ids of a step, so that an audit entry of up to 4,000 characters names them all. */
    private static final int MOST_CHARACTERS = 3_600;

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
        List<List<SelectedEvent>> steps = steps(inOrder(), Math.max(1, Math.min(LARGEST_STEP, progress.rate() / 2)));
        boolean paced = steps.size() > 1;
        for (List<SelectedEvent> step : steps) {
            if (paced ? !progress.pace(step.size()) : !progress.goesOn()) {
                return;
            }
            change(step, progress, by);
        }
    }

    /**
     * Discards the last first, and those that wait before all that they may wait for: the other way round, the store would
     * release them for sending.
     */
    private List<SelectedEvent> inOrder() {
        if (kind == Kind.REQUEUE) {
            return events;
        }
        List<SelectedEvent> order = new ArrayList<>(events);
        Collections.reverse(order);
        order.sort(Comparator.comparing(each -> each.state() != ParkedState.WAITING));
        return order;
    }

    private static List<List<SelectedEvent>> steps(List<SelectedEvent> events, int most) {
        List<List<SelectedEvent>> steps = new ArrayList<>();
        List<SelectedEvent> step = new ArrayList<>();
        int characters = 0;
        for (SelectedEvent each : events) {
            int more = ChangedEvents.list(List.of(each.id())).length() + ", ".length();
            if (!step.isEmpty() && (step.size() == most || characters + more > MOST_CHARACTERS)) {
                steps.add(step);
                step = new ArrayList<>();
                characters = 0;
            }
            step.add(each);
            characters += more;
        }
        steps.add(step);
        return steps;
    }

    /** What is done counts at once: the next statement may fail. */
    private void change(List<SelectedEvent> some, Progress progress, Actor by) {
        others.look();
        Map<ParkedState, List<String>> byState = new LinkedHashMap<>();
        for (SelectedEvent each : some) {
            if (others.have(each.id())) {
                progress.add(0, 1, 0);
            } else {
                byState.computeIfAbsent(each.state(), state -> new ArrayList<>())
                        .add(each.id());
            }
        }
        byState.forEach((state, ids) -> {
            others.changing(by, ids);
            int done = apply(new Selection.Ids(ids, Optional.of(state), words), ids.size(), progress, by);
            progress.add(done, ids.size() - done, 0);
        });
    }

    /** Unless the store refuses, the change may have succeeded although the reply was lost. */
    private int apply(Selection selection, int size, Progress progress, Actor by) {
        try {
            return kind.apply(admin, relay, selection, by);
        } catch (StoreRefusedException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            progress.unknown(size);
            throw e;
        }
    }

    @Override
    public int held() {
        return events.size();
    }

    @Override
    public void cancelled(String progress, Actor by) {
        admin.note("cancel", progress + " (relay " + relay + ")", by);
    }
}
