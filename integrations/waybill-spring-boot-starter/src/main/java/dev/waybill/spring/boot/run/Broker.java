package dev.waybill.spring.boot.run;

import dev.waybill.admin.DeadLetterBox;
import dev.waybill.format.HeaderStyle;
import dev.waybill.spi.Destination;
import dev.waybill.spi.MessageSource;
import java.util.List;

/** A broker: relays send to it, and consumers receive from it. Connects to nothing until it is used. */
interface Broker {
    /** Its kind, as in {@code messaging.system} of OpenTelemetry. */
    String system();

    /** The default style of headers. */
    HeaderStyle headers();

    /** A connection for one relay or one consumer; the caller closes it. */
    Destination connect();

    /**
     * @throws IllegalArgumentException if this broker cannot read these topics; the message says why
     */
    MessageSource source(String consumer, List<String> topics);

    /** Whether dead letters can be counted without withholding them from others for a while. */
    default boolean countsFreely() {
        return true;
    }

    /** The dead letters of its consumers; the caller closes it. */
    OpenDeadLetters openDeadLetters();

    record OpenDeadLetters(DeadLetterBox box, Runnable closing) implements AutoCloseable {
        @Override
        public void close() {
            closing.run();
        }
    }
}
