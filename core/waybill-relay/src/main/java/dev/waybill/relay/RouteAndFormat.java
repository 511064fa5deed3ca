package dev.waybill.relay;

import dev.waybill.format.Format;
import dev.waybill.format.FormatException;
import dev.waybill.format.Formatted;
import dev.waybill.route.Address;
import dev.waybill.route.Route;
import dev.waybill.route.RouteException;
import dev.waybill.spi.EventFacts;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.StoredEvent;
import java.util.function.Consumer;

/** Makes the messages of events. An event that cannot be routed or formatted is dead at once; the others continue. */
final class RouteAndFormat {
    private final Route route;
    private final Format format;
    private final long largest;

    RouteAndFormat(RelayPlan plan) {
        this.route = plan.route();
        this.format = plan.format();
        this.largest = plan.destination().guarantees().maxMessageBytes();
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
            Address address = route.addressOf(event);
            Formatted formatted = format.format(event);
            message = new OutboundMessage(
                    EventFacts.of(event), address.topic(), address.key(), formatted.value(), formatted.headers());
        } catch (RouteException | FormatException e) {
            giveUp.accept(String.valueOf(e.getMessage()));
            return;
        } catch (Exception | StackOverflowError e) {
            // A stack overflow is caused by this event. Any other Error concerns the process and is not caught.
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("Interrupted in the route or format of an event.", e);
            }
            giveUp.accept("The route or format failed with " + e.getClass().getName() + Outgoing.placeOf(e)
                    + ": correct it, then requeue the event.");
            return;
        }
        ready.accept(message);
    }

    private String tooLarge(StoredEvent event) {
        return "The event has " + event.bytes() + " bytes, but the destination accepts at most " + largest
                + " in one message; it was not read. Put large data elsewhere and send a reference, or raise the"
                + " destination's limit and requeue the event.";
    }
}
