package dev.waybill.server.api;

import dev.waybill.server.operation.Operations;
import dev.waybill.server.operation.Prepared;
import java.util.List;

/** Shows what a change would do, with a token that confirms it. */
final class Offers {
    static final int SAMPLES = 5;
    /** Discarding more than this needs the name of the relay or topic to be typed. */
    private static final int TYPED_ABOVE = 1_000;

    private final Operations operations;

    Offers(Operations operations) {
        this.operations = operations;
    }

    /** What must be typed to confirm; empty if nothing. */
    static String confirm(boolean discards, long total, String name) {
        return discards && total > TYPED_ABOVE ? name : "";
    }

    /** @param exact false if there are more than the offer includes */
    Obj show(Call call, Prepared prepared, boolean exact, List<Obj> samples) {
        Operations.Offer offer = operations.offer(call.caller().name(), prepared);
        Obj one = new Obj()
                .text("token", offer.token())
                .time("expiresAt", offer.until())
                .text("action", prepared.target().action())
                .count("count", prepared.total())
                .flag("exact", exact)
                .list("samples", samples)
                .text("words", prepared.target().words())
                .flag("reasonRequired", prepared.reasonRequired());
        return prepared.confirm().isEmpty() ? one : one.text("confirm", prepared.confirm());
    }
}
