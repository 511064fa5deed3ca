package dev.waybill.example.notifications;

import java.util.Locale;

/** What happens, and which kind of user hears of it. */
enum Business {
    RESERVATIONS("RESERVATION_REQUESTED", "RESTAURANT"),
    ORDERS("ORDER_CREATED", "CUSTOMER"),
    TRIPS("TRIP_BOOKED", "AGENCY"),
    REGISTRATIONS("USER_REGISTERED", "ADMIN"),
    /** New; nobody has thought of a queue for couriers yet. */
    DELIVERIES("DELIVERY_DELAYED", "COURIER");

    private final String eventType;
    private final String aggregateType;

    Business(String eventType, String aggregateType) {
        this.eventType = eventType;
        this.aggregateType = aggregateType;
    }

    String eventType() {
        return eventType;
    }

    String aggregateType() {
        return aggregateType;
    }

    /** The path of its requests, as in {@code /orders}. */
    static Business ofPath(String path) {
        return valueOf(path.substring(1).toUpperCase(Locale.ROOT));
    }
}
