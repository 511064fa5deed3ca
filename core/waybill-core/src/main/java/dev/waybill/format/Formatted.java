package dev.waybill.format;

import dev.waybill.spi.OutboundMessage.Header;
import java.util.List;

/** The body and the headers of a message. */
public record Formatted(byte[] value, List<Header> headers) {

    /** Without the contents, which may be personal data. */
    @Override
    public String toString() {
        return "Formatted[" + value.length + " bytes, " + headers.size() + " headers]";
    }
}
