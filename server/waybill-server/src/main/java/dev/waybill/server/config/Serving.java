package dev.waybill.server.config;

import dev.waybill.server.access.AccessRules;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * What the process serves over HTTP, and whether it shares its relays with other processes.
 *
 * @param notReadyAfter how long a relay may fail before the process is not ready
 * @param countDeadLettersEvery how often dead letters are counted for metrics; never if zero
 * @param access who may use the admin API
 * @param sharesRelays whether it shares the relays evenly with other processes that run them
 */
public record Serving(
        InetSocketAddress address,
        Duration notReadyAfter,
        Duration countDeadLettersEvery,
        AccessRules access,
        boolean sharesRelays) {

    /** Reports a mistake if there is no such address. */
    static Serving of(Section root) {
        Section server = root.section("server");
        InetSocketAddress address = new InetSocketAddress(server.text("address"), server.count("port"));
        if (address.isUnresolved()) {
            server.mistake(
                    "address", "is not an address of this machine: use 127.0.0.1, or a name that can be resolved");
            return nowhere();
        }
        return new Serving(
                address,
                server.duration("not-ready-after"),
                server.duration("count-dead-letters-every"),
                ConfiguredAccess.of(server, address.getAddress()),
                server.get("share-relays", Boolean.class));
    }

    /** For a configuration with mistakes, which is never served. */
    static Serving nowhere() {
        return new Serving(new InetSocketAddress(0), Duration.ZERO, Duration.ZERO, AccessRules.LOCAL, false);
    }
}
