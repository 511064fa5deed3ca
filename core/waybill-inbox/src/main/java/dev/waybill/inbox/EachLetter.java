package dev.waybill.inbox;

import dev.waybill.admin.DeadLetterEntry;
import dev.waybill.admin.LetterStaysException;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** Processes dead letters one after the other. A letter that fails does not stop the others. */
final class EachLetter {
    /** Consecutive failures after which the broker counts as unavailable. */
    static final int AWAY = 3;

    private EachLetter() {}

    /**
     * @param act answers whether the letter was there
     * @param goOn asked before each: stops early when it says no
     * @param failed hears of each letter that could not be dealt with, and why
     */
    static LetterCounts run(
            List<DeadLetterEntry> letters,
            Predicate<DeadLetterEntry> act,
            BooleanSupplier goOn,
            BiConsumer<DeadLetterEntry, RuntimeException> failed) {
        int done = 0;
        int notThere = 0;
        int failures = 0;
        int failuresInARow = 0;
        for (DeadLetterEntry letter : letters) {
            if (isOver(failuresInARow) || !goOn.getAsBoolean()) {
                break;
            }
            try {
                if (act.test(letter)) {
                    done++;
                } else {
                    notThere++;
                }
                failuresInARow = 0;
            } catch (LetterStaysException | IllegalArgumentException e) {
                failures++;
                failuresInARow = 0;
                failed.accept(letter, e);
            } catch (RuntimeException e) {
                failures++;
                failuresInARow++;
                failed.accept(letter, e);
            }
        }
        return new LetterCounts(done, notThere, failures, letters.size() - done - notThere - failures);
    }

    private static boolean isOver(int failuresInARow) {
        return failuresInARow == AWAY
                || (failuresInARow > 0 && Thread.currentThread().isInterrupted());
    }
}
