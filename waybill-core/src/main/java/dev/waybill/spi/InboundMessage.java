package dev.waybill.spi;

import dev.waybill.spi.OutboundMessage.Header;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A message as it arrived. Only good for the subscription that gave it. */
public interface InboundMessage {
    /** Where it was sent to: the topic, or the routing key. */
    String topic();

    /** Messages with the same key are to be handled in the order in which they arrive; nothing when it has none. */
    byte @Nullable [] key();

    byte[] value();

    List<Header> headers();

    /** Where it stands with the broker, for people: partition and offset, or the like. */
    String place();
}
