package dev.waybill.tck.source;

import dev.waybill.admin.DeadLetterBox;
import dev.waybill.spi.Destination;
import java.util.Optional;

/** A topic, a consumer's way to it, and an empty place for its dead letters. */
public interface DeadLetterHarness extends SourceHarness {
    /** Takes the letters. */
    Destination destination();

    /** Where the destination sends letters to, and where the box finds them. */
    String deadLetterTopic();

    DeadLetterBox box();

    /** A place for letters that does not exist and is not made by using it, if there can be one. */
    Optional<MissingPlace> missingPlace();

    /**
     * A place for letters that is still to be made; the box finds its letters then.
     *
     * @param destination sends letters there
     * @param make returns when it is there
     */
    record MissingPlace(Destination destination, String topic, Runnable make) {}
}
