package dev.waybill.relay;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.Utf8;

/** The place of one event in its flight. */
record Seat(Flight flight, int index) {
    Utf8 orderKey() {
        return flight.orderKey(index);
    }

    long ordinal() {
        return flight.ordinal(index);
    }

    void decide(Settlement settlement) {
        flight.decide(index, settlement);
    }

    void arrived(Delivery delivery) {
        flight.arrived(index, delivery);
    }
}
