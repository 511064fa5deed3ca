package dev.waybill.spi;

import java.util.List;

/** Events that were claimed together and are settled together. Valid only for the session that returned it. */
public interface Batch {
    List<StoredEvent> events();
}
