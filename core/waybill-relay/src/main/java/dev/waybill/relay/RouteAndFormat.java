package dev.waybill.relay;

import dev.waybill.format.Format;
import dev.waybill.format.FormatException;
import dev.waybill.format.Formatted;
import dev.waybill.relay.UserCalls.Kind;
import dev.waybill.route.Address;
import dev.waybill.route.Route;
import dev.waybill.route.RouteException;
import dev.waybill.spi.EventFacts;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.OutboundMessage.Header;
import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.support.UserCode;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;

/** Makes the messages of events. An event that cannot be routed or formatted is dead at once; the others continue. */
final class RouteAndFormat {
    private final Route route;
    private final Format format;
    private final UserCalls calls;
    private final long largest;

    RouteAndFormat(RelayPlan plan, UserCalls calls) {
        this.route = plan.route();
        this.format = plan.format();
        this.calls = calls;
        this.largest = plan.destination().guarantees().maxMessageBytes();
    }

    /** The route or the format of the application failed. */
    private static final class Failed extends Exception {
        private static final long serialVersionUID = 1;

        Failed(String message) {
            super(message, null, false, false);
        }
    }

    /** Passes the message, or why there is none, to one of the two. */
    void make(StoredEvent event, Consumer<OutboundMessage> ready, Consumer<String> giveUp) {
        if (event.isWithheld()) {
            giveUp.accept(tooLarge(event));
            return;
        }
        if (event.unreadable().isPresent()) {
            giveUp.accept(event.unreadable().get());
            return;
        }
        OutboundMessage message;
        try {
            Address address = call(Kind.ROUTE, route, event, of -> complete(route.addressOf(of)));
            Formatted formatted = call(Kind.FORMAT, format, event, of -> complete(format.format(of)));
            message = new OutboundMessage(
                    EventFacts.of(event), address.topic(), address.key(), formatted.value(), formatted.headers());
        } catch (Failed e) {
            giveUp.accept(String.valueOf(e.getMessage()));
            return;
        }
        ready.accept(message);
    }

    /** Whatever the code throws is its event's fault, except an error of the whole process. */
    private <R> R call(Kind kind, Object code, StoredEvent event, Function<StoredEvent, R> call) throws Failed {
        try {
            return calls.in(kind, code, event, () -> call.apply(event));
        } catch (Throwable e) {
            if (UserCode.isOfProcess(e)) {
                throw e;
            }
            boolean explained = e instanceof RouteException || e instanceof FormatException;
            throw new Failed(
                    explained
                            ? String.valueOf(e.getMessage())
                            : "The " + UserCode.name(kind.role(), code) + " failed with " + UserCode.describe(e)
                                    + ": correct it, then requeue the event.");
        }
    }

    private static Address complete(Address address) {
        Objects.requireNonNull(address.topic(), "topic");
        return address;
    }

    private static Formatted complete(Formatted formatted) {
        Objects.requireNonNull(formatted.value(), "value");
        for (Header header : formatted.headers()) {
            Objects.requireNonNull(header.name(), "name of a header");
            Objects.requireNonNull(header.value(), "value of a header");
        }
        return formatted;
    }

    private String tooLarge(StoredEvent event) {
        return "The event has " + event.bytes() + " bytes, but the destination accepts at most " + largest
                + " in one message; it was not read. Put large data elsewhere and send a reference, or raise the"
                + " destination's limit and requeue the event.";
    }
}
