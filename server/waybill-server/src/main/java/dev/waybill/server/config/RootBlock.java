package dev.waybill.server.config;

import java.net.InetSocketAddress;
import java.time.Duration;

/** Everything that may stand in the file. */
final class RootBlock {
    private static final Key<String> ADDRESS = Key.standard(
            "address",
            Scalars.TEXT,
            "127.0.0.1",
            "Where /health and /ready are served. Beyond this machine only where that is meant.");
    private static final Key<Long> PORT =
            Key.standard("port", Scalars.number(0, 65_535), 8085, "0 takes any free port and prints it.");
    private static final Key<Duration> NOT_READY_AFTER = Key.standard(
            "not-ready-after",
            Scalars.DURATION,
            "1m",
            "A relay that has been failing for so long without getting anything done makes /ready answer 503.");
    private static final Key<Section> SERVER =
            Key.optional("server", Block.of(ADDRESS, PORT, NOT_READY_AFTER), "What the process serves over HTTP.");
    static final Key<Named.All<Section>> STORES =
            Key.required("stores", new Named<>("stores", StoreType.variants()), "Outboxes, by names of your choice.");
    static final Key<Named.All<Section>> DESTINATIONS = Key.required(
            "destinations",
            new Named<>("destinations", DestinationType.variants()),
            "Brokers, by names of your choice.");
    static final Key<Named.All<Section>> RELAYS = Key.required(
            "relays",
            new Named<>("relays", RelayBlock.BLOCK),
            "Relays. A relay's name is the same in every process that may run it, and stays: its position is stored under"
                    + " it.");

    static final Block BLOCK = Block.of(SERVER, STORES, DESTINATIONS, RELAYS);

    private RootBlock() {}

    /** What the process serves, and where; a mistake is noted when there is no such address. */
    static Serving serving(Section root) {
        Section server = root.get(SERVER);
        InetSocketAddress address = new InetSocketAddress(server.get(ADDRESS), server.count(PORT));
        if (address.isUnresolved()) {
            server.mistake(ADDRESS, "is no address of this machine: use 127.0.0.1, or a name that can be resolved");
        }
        return new Serving(address, server.get(NOT_READY_AFTER));
    }
}
