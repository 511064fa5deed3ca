package dev.waybill.server.operation;

import dev.waybill.admin.Actor;
import dev.waybill.admin.DeadLetterEntry;
import dev.waybill.admin.LetterStaysException;
import dev.waybill.inbox.Discard;
import dev.waybill.inbox.LetterCounts;
import dev.waybill.inbox.SendBack;
import dev.waybill.server.checkup.AuditedBox;
import dev.waybill.spi.Counted;
import dev.waybill.spi.StoreException;
import java.util.List;

/**
 * Sends dead letters back or discards them.
 *
 * @param back false to discard them
 */
public record LetterWork(AuditedBox box, boolean back, List<DeadLetterEntry> letters) implements Work {
    private static final int LARGEST_STEP = 50;

    /** Without errors, which may be long: previews wait in memory. */
    public LetterWork {
        letters = letters.stream().map(LetterWork::withoutError).toList();
    }

    private static DeadLetterEntry withoutError(DeadLetterEntry letter) {
        return new DeadLetterEntry(
                letter.topic(),
                letter.place(),
                letter.origin(),
                letter.eventId(),
                "",
                letter.failedAt(),
                letter.consumer(),
                letter.bytes(),
                letter.contents());
    }

    @Override
    public void run(Progress progress, Actor by) throws InterruptedException {
        int step = Math.max(1, Math.min(LARGEST_STEP, progress.rate() / 2));
        Refusals refusals = new Refusals();
        boolean paced = step < letters.size();
        for (int from = 0; from < letters.size(); from += step) {
            List<DeadLetterEntry> some = letters.subList(from, Math.min(letters.size(), from + step));
            if (paced ? !progress.pace(some.size()) : !progress.goesOn()) {
                return;
            }
            LetterCounts counts = step(some, refusals, progress, by);
            progress.add(counts.done(), counts.notThere(), counts.failed() - refusals.unknown);
            progress.unknown(refusals.unknown);
            refusals.unknown = 0;
            if (counts.failed() > 0) {
                progress.remark("The last reason: " + refusals.last);
            }
            if (counts.notTried() > 0 && progress.goesOn()) {
                throw new IllegalStateException(
                        (refusals.unaudited ? "The audit cannot be written: " : "The broker fails: ") + refusals.last
                                + " The other letters are kept.");
            }
        }
    }

    private LetterCounts step(List<DeadLetterEntry> some, Refusals refusals, Progress progress, Actor by) {
        try {
            return back
                    ? SendBack.of(box, progress.rate()).run(some, by, progress::goesOn, refusals::add)
                    : Discard.of(box).run(some, by, progress::goesOn, refusals::add);
        } catch (Error e) {
            progress.unknown(some.size());
            throw e;
        }
    }

    @Override
    public int held() {
        return letters.size();
    }

    @Override
    public void cancelled(String progress, Actor by) {
        box.note("cancel", progress + " (dead letters of " + letters.get(0).topic() + ")", by);
    }

    @Override
    public String inDoubt(long unknown) {
        return "Whether " + Counted.of(unknown, "letter") + (unknown == 1 ? " was " : " were ")
                + (back
                        ? "sent back is unknown: one that is still here may have been, too."
                        : "discarded is unknown: the list shows those that were not.");
    }

    private static final class Refusals {
        private String last = "";
        private int unknown;
        private boolean unaudited;

        /** Refused letters are kept, and so are those that could not be audited. For others, the reply may have been lost. */
        void add(DeadLetterEntry letter, RuntimeException failed) {
            last = String.valueOf(failed.getMessage());
            unaudited = failed instanceof StoreException;
            if (!(failed instanceof LetterStaysException || failed instanceof IllegalArgumentException || unaudited)) {
                unknown++;
            }
        }
    }
}
