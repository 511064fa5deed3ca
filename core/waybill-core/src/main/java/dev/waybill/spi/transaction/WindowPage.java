package dev.waybill.spi.transaction;

import dev.waybill.spi.StoredEvent;
import java.util.List;

/** Events that were read together from one window. Valid only for the session that returned it. */
public interface WindowPage {
    /** In publishing order; never empty. */
    List<StoredEvent> events();

    /** The position behind the event with this index, and everything before it. */
    WindowPosition positionOf(int index);

    /** The position behind the whole page. */
    WindowPosition end();

    /** Whether the store had no more events when the page was read. */
    boolean isLast();
}
