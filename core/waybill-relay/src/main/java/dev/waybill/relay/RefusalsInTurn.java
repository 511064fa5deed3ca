package dev.waybill.relay;

import dev.waybill.relay.OpenTransaction.Entry;
import dev.waybill.spi.Delivery;
import java.util.List;

/**
 * How many events a transaction may have. After a refusal a destination may fail the rest of the transaction because of it, so
 * that only one refused event is found in each, and all others are sent again. So transactions become smaller while events are refused
 * like that, and larger again with each commit. One thread.
 */
final class RefusalsInTurn {
    private final int largest;
    private int most;

    RefusalsInTurn(int largest) {
        this.largest = largest;
        this.most = largest;
    }

    int mostEvents() {
        return most;
    }

    void repeated(OpenTransaction open) {
        List<Entry> entries = open.entries();
        boolean refused = entries.stream().anyMatch(entry -> entry.answer instanceof Delivery.Refused);
        if (refused && entries.stream().anyMatch(entry -> entry.answer instanceof Delivery.Behind)) {
            most = Math.max(1, Math.min(most, entries.size()) / 2);
        }
    }

    void committed() {
        most = Math.min(largest / 2, most) + Math.min(largest - largest / 2, most);
    }
}
