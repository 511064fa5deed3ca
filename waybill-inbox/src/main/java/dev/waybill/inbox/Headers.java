package dev.waybill.inbox;

import dev.waybill.spi.InboundMessage;
import dev.waybill.spi.OutboundMessage.Header;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Looks headers of a message up; names are told apart by case, as brokers do. */
final class Headers {
    private Headers() {}

    static Optional<String> find(InboundMessage message, String name) {
        for (Header header : message.headers()) {
            if (header.name().equals(name)) {
                return Optional.of(new String(header.value(), StandardCharsets.UTF_8));
            }
        }
        return Optional.empty();
    }

    /** The header under the first of these names that is there. */
    static Optional<String> find(InboundMessage message, String name, String otherwise) {
        return find(message, name).or(() -> find(message, otherwise));
    }
}
