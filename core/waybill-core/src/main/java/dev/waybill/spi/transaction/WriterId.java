package dev.waybill.spi.transaction;

import dev.waybill.RelayName;

/** The id of a relay's writers, in every process. */
public final class WriterId {
    private WriterId() {}

    /** @param origin as in {@link WindowSession#origin} */
    public static String of(String origin, RelayName relay) {
        return "waybill-" + origin + "-" + relay;
    }
}
