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
    static final int MAX_FAILURES = 3;

    private EachLetter() {}

    /**
     * @param act returns whether the letter existed
     * @param goOn called before each letter; stops early if it returns false
     * @param failed called for each letter that could not be processed, with the reason
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
        return failuresInARow == MAX_FAILURES
                || (failuresInARow > 0 && Thread.currentThread().isInterrupted());
    }
}
