package dev.waybill.relay;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.Utf8;

/** One event of a claimed batch. */
record ClaimedEvent(ClaimedBatch batch, int index) {
    StoredEvent stored() {
        return batch.events.get(index);
    }

    Utf8 orderKey() {
        return batch.orderKey(index);
    }

    long ordinal() {
        return batch.ordinal(index);
    }

    void decide(Settlement settlement) {
        batch.decide(index, settlement);
    }

    void arrived(Delivery delivery) {
        batch.arrived(index, delivery);
    }
}
