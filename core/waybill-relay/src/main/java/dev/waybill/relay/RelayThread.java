package dev.waybill.relay;

import dev.waybill.RelayName;
import dev.waybill.spi.Untraced;
import org.slf4j.MDC;

/** A thread of one relay. Its log lines carry the relay's name. */
final class RelayThread {
    /** Name of the field in structured logs. */
    private static final String RELAY = "relay";

    private RelayThread() {}

    /**
     * @param purpose precedes the relay's name in the thread's name
     */
    static Thread of(String purpose, RelayName relay, Runnable work) {
        return new Thread(Untraced.task(named(relay, work)), "waybill-" + purpose + "-" + relay);
    }

    /** Work for one relay on a shared thread. */
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
