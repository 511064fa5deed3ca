package dev.waybill.bench.systems;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Other outboxes. */
public enum Peer {
    DEBEZIUM("Debezium Engine", "DebeziumSystem", "debezium-connector-postgres", 0.1),
    MODULITH("Spring Modulith", "ModulithSystem", "spring-modulith-events-core", 0.005),
    NAMASTACK("namastack", "NamastackSystem", "namastack-outbox-core", 0.005),
    GRUELBOX("gruelbox", "GruelboxSystem", "transactionoutbox-core", 0.005);

    private static final String HEAP = "1g";

    public final String label;
    private final String main;
    private final Pattern jar;
    private final double share;

    Peer(String label, String main, String artifact, double share) {
        this.label = label;
        this.main = main;
        this.jar = Pattern.compile("/" + artifact + "-([^/]+)\\.jar");
        this.share = share;
    }

    /** How to start it; empty if its module is not built. */
    public Optional<SystemSpec> spec() {
        return PeerModule.named(name().toLowerCase(Locale.ROOT)).map(module -> {
            Matcher version = jar.matcher(module.classPath());
            return new SystemSpec(
                    label, version.find() ? version.group(1) : "unknown", module.command(HEAP, main), false, share);
        });
    }
}
