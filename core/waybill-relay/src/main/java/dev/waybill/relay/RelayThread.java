package dev.waybill.relay;

import dev.waybill.spi.RelayName;
import org.slf4j.MDC;

/** A thread that works for one relay; whatever is logged on it carries the relay's name. */
final class RelayThread {
    /** In structured logs. */
    private static final String RELAY = "relay";

    private RelayThread() {}

    /**
     * @param purpose what it does, before the relay's name in its own
     */
    static Thread of(String purpose, RelayName relay, Runnable work) {
        return new Thread(named(relay, work), "waybill-" + purpose + "-" + relay);
    }

    /** Work for one relay on a thread that others use too. */
    static Runnable named(RelayName relay, Runnable work) {
        return () -> {
            MDC.put(RELAY, relay.value());
            try {
                work.run();
            } finally {
                MDC.remove(RELAY);
            }
        };
    }
}
