package dev.waybill.server.config;

import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * What the process serves over HTTP.
 *
 * @param notReadyAfter a relay that has been failing for so long makes the process not ready
 */
public record Serving(InetSocketAddress address, Duration notReadyAfter) {

    /** For a configuration with mistakes, which is never served. */
    static Serving nowhere() {
        return new Serving(new InetSocketAddress(0), Duration.ZERO);
    }
}
