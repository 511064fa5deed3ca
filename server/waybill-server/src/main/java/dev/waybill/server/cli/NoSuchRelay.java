package dev.waybill.server.cli;

import dev.waybill.spi.RelayName;

/** What is said when a relay is not there. */
final class NoSuchRelay {
    private NoSuchRelay() {}

    static CommandEndedException dropped(RelayName relay) {
        return CommandEndedException.notFound(
                "No relay " + relay + " was dropped here; one that was not may run as it is.");
    }

    static CommandEndedException named(RelayName relay) {
        return CommandEndedException.notFound(
                "There is no relay " + relay + " in this store; `waybill status` lists those there are.");
    }
}
