package dev.waybill.server.config;

import dev.waybill.RetryPolicy;
import dev.waybill.format.Format;
import dev.waybill.format.HeaderStyle;
import dev.waybill.jsonschema.RegistryFile;
import dev.waybill.jsonschema.RegistryFileException;
import dev.waybill.registry.EventRegistry;
import dev.waybill.relay.RelayOptions;
import dev.waybill.relay.RelayOptions.BatchSize;
import dev.waybill.relay.TransactionSize;
import dev.waybill.route.Route;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A relay of the file, and the names of its store and destination.
 *
 * @param transactions their size, if it delivers exactly once
 */
record ConfiguredRelay(
        String store,
        String destination,
        Route route,
        Format format,
        RelayOptions options,
        Optional<TransactionSize> transactions) {
    static final String DELIVERY = "delivery";
    private static final String TRANSACTION = "transaction";

    static final String RETRIES = "retries";
    static final String UNLIMITED = "unlimited";

    /** The form of messages. */
    private enum Form {
        ENVELOPE,
        RAW,
        NOTIFICATION,
        STORED,
        DEBEZIUM,
        DEBEZIUM_WITH_TYPE
    }

    /** How often a message may arrive. */
    private enum Times {
        AT_LEAST_ONCE,
        EXACTLY_ONCE
    }

    /**
     * @param headers the header style of the destination
     * @param retention that of the store
     * @throws IllegalArgumentException if it cannot be used; the message says why
     */
    static ConfiguredRelay of(String name, Section section, HeaderStyle headers, Optional<Duration> retention) {
        return new ConfiguredRelay(
                section.text("store"),
                section.text("destination"),
                ConfiguredRoute.of(section.section("route"), registry(name, section)),
                format(section, headers),
                options(section, retention),
                transactions(section));
    }

    private static Format format(Section section, HeaderStyle headers) {
        return switch (section.get("format", Form.class)) {
            case RAW -> Format.raw(headers);
            case NOTIFICATION -> Format.notification();
            case STORED -> Format.raw();
            case DEBEZIUM -> Format.raw(HeaderStyle.DEBEZIUM);
            case DEBEZIUM_WITH_TYPE -> Format.raw(HeaderStyle.DEBEZIUM_WITH_TYPE);
            case ENVELOPE ->
                Format.envelope(section.findText("source")
                        .orElseThrow(() -> new IllegalArgumentException(
                                "the envelope has no source: give the key source, such as order-service")));
        };
    }

    private static Optional<EventRegistry> registry(String relay, Section section) {
        try {
            References references = section.place().findings().references();
            Optional<EventRegistry> inline = section.tree("registry")
                    .map(tree -> RegistryFile.of(tree, references.resolve(""), "of relay " + relay));
            return inline.isPresent() ? inline : section.file("registry").map(RegistryFile::read);
        } catch (RegistryFileException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private static Optional<TransactionSize> transactions(Section section) {
        return section.get(DELIVERY, Times.class) == Times.EXACTLY_ONCE
                ? Optional.of(transactionSize(section))
                : Optional.empty();
    }

    private static TransactionSize transactionSize(Section section) {
        Section transaction = section.section(TRANSACTION);
        return new TransactionSize(transaction.count("max-events"), transaction.duration("linger"));
    }

    /** Of a relay without transactions. The defaults are no mistake: the printed configuration contains them. */
    static void checkTransactionUnused(Section section) {
        if (!transactionSize(section).equals(TransactionSize.defaults())) {
            section.section(TRANSACTION)
                    .place()
                    .mistake("has no effect on a relay that delivers at least once: remove it, or add delivery:"
                            + " exactly-once");
        }
    }

    private static RelayOptions options(Section section, Optional<Duration> retention) {
        Section inFlight = section.section("in-flight");
        Section poll = section.section("poll");
        Section retry = section.section("retry");
        return new RelayOptions(
                new BatchSize(section.count("batch"), section.get("batch-bytes", Long.class)),
                new RelayOptions.InFlight(
                        inFlight.count("batches"), inFlight.get("bytes", Long.class), inFlight.duration("timeout")),
                new RelayOptions.Poll(
                        poll.duration("interval"), poll.duration("max-idle"), poll.duration("initial-delay")),
                new RetryPolicy(
                        retries(retry),
                        retry.duration("first"),
                        retry.get("factor", Double.class),
                        retry.duration("max")),
                section.get("count-outages", Boolean.class),
                section.get("on-dead", RelayOptions.OnDead.class),
                section.duration("lease"),
                section.duration("grace"),
                section.find("rate", Integer.class).map(OptionalInt::of).orElse(OptionalInt.empty()),
                retention);
    }

    private static int retries(Section retry) {
        return retry.text(RETRIES).equals(UNLIMITED) ? RetryPolicy.UNLIMITED : retry.count(RETRIES);
    }
}
