package dev.waybill.tck.source;

import dev.waybill.admin.DeadLetterBox;
import dev.waybill.spi.Destination;
import java.util.Optional;

/** A topic, a source for its consumer, and an empty dead-letter topic. */
public interface DeadLetterHarness extends SourceHarness {
    /** The destination of the letters. */
    Destination destination();

    /** The dead-letter topic of the destination and the box. */
    String deadLetterTopic();

    DeadLetterBox box();

    /** A dead-letter topic that does not exist and is not created on use, if supported. */
    Optional<MissingPlace> missingPlace();

    /**
     * A dead-letter topic that is created later; the box then finds its letters.
     *
     * @param destination sends letters there
     * @param make creates it; returns when it exists
     */
    record MissingPlace(Destination destination, String topic, Runnable make) {}
}
