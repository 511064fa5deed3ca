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
import dev.waybill.spi.StoreException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
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
        More more = more(shown.events(), shown.exact(), () -> {
            RequeuePreview now = admin.previewRequeue(relay, selection);
            return new Matching(now.events(), now.exact());
        });
        return print(output, "requeued", shown.events(), more, Map.of("late", shown.late()));
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
        More more = more(shown.events(), shown.exact(), () -> {
            DiscardPreview now = admin.previewDiscard(relay, selection);
            return new Matching(now.events(), now.exact());
        });
        return print(output, "discarded", shown.events(), more, Map.of());
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

    /** @param exact whether all that match are known */
    private record Matching(List<SelectedEvent> events, boolean exact) {}

    /**
     * Events that match now and were not shown.
     *
     * @param number at least this many; exactly as many if they are all known
     * @param unknown why they could not be counted; empty if they were
     */
    private record More(long number, boolean exact, Optional<String> unknown) {}

    /** The events are changed by now, so a store that cannot be read any more does not fail the command. */
    private static More more(List<SelectedEvent> shown, boolean exact, Supplier<Matching> preview) {
        try {
            Matching now = preview.get();
            Set<String> known = shown.stream().map(SelectedEvent::id).collect(Collectors.toSet());
            long more = now.events().stream()
                    .filter(event -> !known.contains(event.id()))
                    .count();
            return new More(more, exact && now.exact(), Optional.empty());
        } catch (StoreException e) {
            return new More(0, false, Optional.of(String.valueOf(e.getMessage())));
        }
    }

    /** @return the exit code: a failure if nothing of what was shown was changed */
    private int print(
            Output output, String what, List<SelectedEvent> shown, More more, Map<String, Object> otherNumbers) {
        int leftOut = shown.size() - counts.done;
        Map<String, Object> numbers = new LinkedHashMap<>(otherNumbers);
        numbers.put(what, counts.done);
        numbers.put("leftOut", leftOut);
        more.unknown()
                .ifPresentOrElse(why -> numbers.put("sinceUnknown", why), () -> numbers.put("since", more.number()));
        String text = what + " " + Cell.grouped(counts.done);
        if (leftOut > 0) {
            text += ", left out " + Cell.grouped(leftOut)
                    + ": changed meanwhile, in flight or locked, or waiting behind such an event of the same key";
        }
        if (more.number() > 0) {
            text += "; " + (more.exact() ? "" : "at least ") + Cell.grouped(more.number())
                    + " more match now, which were not shown and stay as they are";
        }
        text += leftOut > 0 || more.number() > 0 ? "; run it again for the rest" : "";
        int exitCode = output.done(
                text
                        + more.unknown()
                                .map(why -> "; how many more match now is unknown: " + why)
                                .orElse(""),
                numbers);
        if (counts.done > 0) {
            return exitCode;
        }
        output.aside("Nothing was changed: `waybill audit` shows what others have changed meanwhile.");
        return ExitCode.FAILED.number();
    }
}
