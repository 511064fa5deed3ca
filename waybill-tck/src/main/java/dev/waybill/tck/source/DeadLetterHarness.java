package dev.waybill.tck.source;

import dev.waybill.admin.DeadLetterBox;
import dev.waybill.spi.Destination;

/** A topic, a consumer's way to it, and an empty place for its dead letters. */
public interface DeadLetterHarness extends SourceHarness {
    /** Takes the letters. */
    Destination destination();

    /** Where the destination sends letters to, and where the box finds them. */
    String deadLetterTopic();

    DeadLetterBox box();
}
