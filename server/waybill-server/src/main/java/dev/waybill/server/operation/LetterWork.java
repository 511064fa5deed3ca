package dev.waybill.server.operation;

import dev.waybill.admin.Actor;
import dev.waybill.admin.DeadLetterEntry;
import dev.waybill.inbox.Discard;
import dev.waybill.inbox.LetterCounts;
import dev.waybill.inbox.SendBack;
import dev.waybill.server.checkup.AuditedBox;
import java.util.List;

/**
 * Sends dead letters back or discards them.
 *
 * @param back false to discard them
 */
public record LetterWork(AuditedBox box, boolean back, List<DeadLetterEntry> letters) implements Work {
    private static final int LARGEST_STEP = 50;

    @Override
    public void run(Progress progress, Actor by) throws InterruptedException {
        int step = Math.max(1, Math.min(LARGEST_STEP, progress.rate() / 2));
        String[] why = {""};
        for (int from = 0; from < letters.size() && progress.goesOn(); from += step) {
            List<DeadLetterEntry> some = letters.subList(from, Math.min(letters.size(), from + step));
            LetterCounts counts = back
                    ? SendBack.of(box, progress.rate())
                            .run(some, by, progress::goesOn, (letter, failed) -> why[0] = said(failed))
                    : Discard.of(box).run(some, by, progress::goesOn, (letter, failed) -> why[0] = said(failed));
            progress.add(counts.done(), counts.notThere(), counts.failed());
            if (counts.notTried() > 0 && progress.goesOn()) {
                throw new IllegalStateException("The broker fails: " + why[0] + " The other letters are kept.");
            }
            if (from + step < letters.size()) {
                progress.pace(some.size());
            }
        }
    }

    @Override
    public void cancelled(String progress, Actor by) {
        box.note("cancel", progress + " (dead letters of " + letters.get(0).topic() + ")", by);
    }

    private static String said(RuntimeException failed) {
        return String.valueOf(failed.getMessage());
    }
}
