package dev.waybill.inbox;

import dev.waybill.admin.Actor;
import dev.waybill.admin.DeadLetterBox;
import dev.waybill.admin.DeadLetterEntry;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;

/** Discards dead letters, one after the other. */
public final class Discard {
    private final DeadLetterBox box;

    private Discard(DeadLetterBox box) {
        this.box = box;
    }

    public static Discard of(DeadLetterBox box) {
        return new Discard(box);
    }

    /**
     * A letter that fails does not stop the others. Three failures in a row that are not of one letter do.
     *
     * @param letters one, some, or all that {@link DeadLetterBox#list} told of
     * @param goOn asked before each: stops early when it says no
     * @param failed hears of each letter that could not be discarded, and why
     */
    public LetterCounts run(
            List<DeadLetterEntry> letters,
            Actor by,
            BooleanSupplier goOn,
            BiConsumer<DeadLetterEntry, RuntimeException> failed) {
        return EachLetter.run(letters, letter -> box.discard(letter, by), goOn, failed);
    }
}
