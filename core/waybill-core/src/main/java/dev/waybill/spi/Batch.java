package dev.waybill.spi;

import java.util.List;

/** Events claimed together, to be settled together. Only good for the session that gave it. */
public interface Batch {
    List<StoredEvent> events();
}
