package dev.waybill.server.api;

import dev.waybill.admin.EventHistory;
import dev.waybill.admin.EventSummary;
import dev.waybill.admin.ParkedEvent;
import java.util.Locale;

/** Events as JSON, without payloads and keys. Aggregate ids are for operators. */
final class EventShape {
    private EventShape() {}

    static Obj summary(String store, EventSummary event, boolean operator) {
        Obj one = new Obj()
                .text("id", event.id())
                .text("store", store)
                .text("type", event.type())
                .text("aggregateType", event.aggregateType());
        if (operator) {
            one.text("aggregateId", event.aggregateId());
        }
        return one.time("createdAt", event.createdAt())
                .list(
                        "relays",
                        event.relays().stream().map(EventShape::standing).toList());
    }

    private static Obj standing(EventSummary.Standing standing) {
        return new Obj()
                .text("relay", standing.relay())
                .text("state", word(standing.state()))
                .whole("attempts", standing.attempts())
                .text("error", standing.error());
    }

    static Obj history(String store, EventHistory event, boolean operator) {
        Obj one = new Obj()
                .text("id", event.id())
                .text("store", store)
                .text("type", event.type())
                .text("aggregateType", event.aggregateType());
        if (operator) {
            one.text("aggregateId", event.aggregateId());
        }
        return one.time("createdAt", event.createdAt())
                .whole("payloadBytes", event.payloadBytes())
                .list("relays", event.relays().stream().map(EventShape::entry).toList());
    }

    private static Obj entry(EventHistory.Entry entry) {
        Obj one = new Obj()
                .text("relay", entry.relay())
                .text("state", word(entry.state()))
                .time("publishedBy", entry.publishedBy());
        entry.parked().ifPresent(parked -> {
            one.text("parked", parked.state().name().toLowerCase(Locale.ROOT));
            fill(one, parked);
        });
        entry.discarded()
                .ifPresent(discarded -> one.time("discardedAt", discarded.at()).text("discarded", discarded.note()));
        return one;
    }

    static Obj parked(ParkedEvent event) {
        Obj one = new Obj()
                .text("id", event.eventId())
                .text("type", event.type())
                .text("state", event.state().name().toLowerCase(Locale.ROOT));
        return fill(one, event);
    }

    private static Obj fill(Obj one, ParkedEvent event) {
        return one.whole("attempts", event.attempts())
                .text("error", event.error())
                .time("failedAt", event.failedAt())
                .time("nextAttemptAt", event.nextAttemptAt())
                .flag("holdsKey", event.holdsKey());
    }

    private static String word(EventHistory.State state) {
        return state.name().toLowerCase(Locale.ROOT);
    }
}
