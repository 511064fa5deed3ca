package dev.waybill.server.cli;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.DiscardPreview;
import dev.waybill.admin.RequeuePreview;
import dev.waybill.admin.SelectedEvent;
import dev.waybill.admin.Selection;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.server.operation.ChangesOfOthers;
import dev.waybill.server.operation.EventWork;
import dev.waybill.server.operation.Progress;
import dev.waybill.server.terminal.Cell;
import dev.waybill.spi.Counted;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Shows which events would be requeued or discarded, asks, and changes exactly these. Used once. */
final class EventChange {
    private final StoreAdmin admin;
    private final RelayName relay;
    private final Selection selection;
    private final ChangesOfOthers others;
    private final Counts counts = new Counts();

    EventChange(StoreAdmin admin, RelayName relay, Selection selection) {
        this.admin = admin;
        this.relay = relay;
        this.selection = selection;
        this.others = new ChangesOfOthers(admin, relay);
    }

    /** @return the exit code */
    int requeue(Confirmation confirmation, Output output) {
        RequeuePreview shown = admin.previewRequeue(relay, selection);
        requireSome(shown.found(), "requeue");
        String late = shown.late() == 0
                ? "none of them late"
                : Cell.grouped(shown.late())
                        + " of them without having held their keys: where later events of the key were published, they"
                        + " arrive late";
        confirmation.require(
                "Relay " + relay + " would send " + Counted.of(shown.found(), "event") + " again, " + late + "."
                        + others(shown.exact()),
                output);
        change(EventWork.Kind.REQUEUE, shown.events(), confirmation.actor(), output);
        RequeuePreview now = admin.previewRequeue(relay, selection);
        Result result = Result.of(counts.done, shown.events(), now.events());
        return result.print(output, "requeued", shown.exact() && now.exact(), Map.of("late", shown.late()));
    }

    /** @return the exit code */
    int discard(Confirmation confirmation, Actor by, Output output) {
        DiscardPreview shown = admin.previewDiscard(relay, selection);
        requireSome(shown.found(), "discard");
        confirmation.require(
                "Relay " + relay + " would never send " + Counted.of(shown.found(), "event") + "."
                        + others(shown.exact()),
                output);
        change(EventWork.Kind.DISCARD, shown.events(), by, output);
        DiscardPreview now = admin.previewDiscard(relay, selection);
        Result result = Result.of(counts.done, shown.events(), now.events());
        return result.print(output, "discarded", shown.exact() && now.exact(), Map.of());
    }

    private void requireSome(int found, String what) {
        if (found == 0) {
            throw CommandEndedException.notFound("Relay " + relay + " has none of these to " + what
                    + "; `waybill events --relay " + relay + " --state dead` lists what it has.");
        }
    }

    private static String others(boolean exact) {
        return exact ? "" : " There may be more, which would stay as they are: run it again for them.";
    }

    private void change(EventWork.Kind kind, List<SelectedEvent> events, Actor by, Output output) {
        String words = selection instanceof Selection.Matching ? selection.inWords() : "";
        EventWork work = new EventWork(admin, relay, kind, events, words, others);
        boolean complete = false;
        try {
            work.run(counts, by);
            complete = true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            if (!complete) {
                output.aside("Changed " + Cell.grouped(counts.done) + " of " + Counted.of(events.size(), "event") + "."
                        + (counts.unknown == 0 ? "" : " " + work.inDoubt(counts.unknown)));
            }
        }
    }

    /** Counts what is done, without a limit of the rate. */
    private static final class Counts implements Progress {
        private int done;
        private int unknown;

        @Override
        public boolean goesOn() {
            return true;
        }

        @Override
        public int rate() {
            return Integer.MAX_VALUE;
        }

        @Override
        public void add(int more, int skipped, int failed) {
            done += more;
        }

        @Override
        public void remark(String words) {}

        @Override
        public void unknown(int some) {
            unknown += some;
        }

        @Override
        public boolean pace(int size) {
            return true;
        }
    }

    /**
     * What was done.
     *
     * @param leftOut how many of the shown events were not changed
     * @param since how many others match now
     */
    private record Result(int changed, int leftOut, long since) {
        static Result of(int changed, List<SelectedEvent> shown, List<SelectedEvent> now) {
            Set<String> known = shown.stream().map(SelectedEvent::id).collect(Collectors.toSet());
            long since =
                    now.stream().filter(event -> !known.contains(event.id())).count();
            return new Result(changed, shown.size() - changed, since);
        }

        /** @param exact whether all that match are known */
        int print(Output output, String what, boolean exact, Map<String, Object> more) {
            Map<String, Object> numbers = new LinkedHashMap<>(more);
            numbers.put(what, changed);
            numbers.put("leftOut", leftOut);
            numbers.put("since", since);
            String text = what + " " + Cell.grouped(changed);
            if (leftOut > 0) {
                text += ", left out " + Cell.grouped(leftOut)
                        + ": changed meanwhile, in flight or locked, or waiting behind such an event of the same key";
            }
            if (since > 0) {
                text += "; " + (exact ? "" : "at least ") + Cell.grouped(since)
                        + " more match now, which were not shown and stay as they are";
            }
            return output.done(text + (leftOut > 0 || since > 0 ? "; run it again for the rest" : ""), numbers);
        }
    }
}
