package dev.waybill.inbox;

import dev.waybill.admin.Actor;
import dev.waybill.admin.DeadLetterBox;
import dev.waybill.admin.DeadLetterEntry;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;

/** Discards dead letters one after the other. */
public final class Discard {
    private final DeadLetterBox box;

    private Discard(DeadLetterBox box) {
        this.box = box;
    }

    public static Discard of(DeadLetterBox box) {
        return new Discard(box);
    }

    /**
     * A letter that fails does not stop the others. Three consecutive failures of the broker do.
     *
     * @param letters from {@link DeadLetterBox#list}
     * @param goOn called before each letter; stops early if it returns false
     * @param failed called for each letter that could not be discarded, with the reason
     */
    public LetterCounts run(
            List<DeadLetterEntry> letters,
            Actor by,
            BooleanSupplier goOn,
            BiConsumer<DeadLetterEntry, RuntimeException> failed) {
        return EachLetter.run(letters, letter -> box.discard(letter, by), goOn, failed);
    }
}
