package dev.waybill.format;

import dev.waybill.spi.OutboundMessage.Header;
import java.util.List;

/** An event in the form in which it travels: the body of a message and its headers. */
public record Formatted(byte[] value, List<Header> headers) {

    /** Says how much it is and not what: that may be personal data. */
    @Override
    public String toString() {
        return "Formatted[" + value.length + " bytes, " + headers.size() + " headers]";
    }
}
