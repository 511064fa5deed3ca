package dev.waybill.server.config;

import dev.waybill.format.HeaderStyle;
import dev.waybill.rabbitmq.RabbitCheckup;
import dev.waybill.rabbitmq.RabbitDeadLetters;
import dev.waybill.rabbitmq.RabbitDestination;
import dev.waybill.rabbitmq.RabbitOptions;
import dev.waybill.rabbitmq.RabbitTls;
import dev.waybill.rabbitmq.Topology;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** RabbitMQ. */
final class RabbitType implements DestinationType {
    @Override
    public String name() {
        return "rabbitmq";
    }

    @Override
    public String messagingSystem() {
        return "rabbitmq";
    }

    @Override
    public boolean hasTransactions() {
        return false;
    }

    @Override
    public HeaderStyle headers() {
        return HeaderStyle.HYPHENS;
    }

    @Override
    public Broker read(Section section) {
        if (section.findText("user").isPresent() != section.findText("password").isPresent()) {
            throw new IllegalArgumentException("user and password go together: give both, or neither");
        }
        RabbitOptions options = new RabbitOptions(
                section.text("uri"),
                section.findText("user").map(user -> new RabbitOptions.Credentials(user, section.text("password"))),
                tls(section.section("tls")),
                section.text("exchange"),
                section.texts("exchanges"),
                topology(section.section("topology")),
                section.get("max-message-bytes", Long.class),
                section.duration("confirm-timeout"),
                section.duration("connect-timeout"));
        int readings = section.count("letter-readings");
        return new Broker(
                () -> RabbitDestination.of(options),
                () -> {
                    RabbitDeadLetters letters =
                            RabbitDeadLetters.of(options, readings == 0 ? Integer.MAX_VALUE : readings);
                    return new OpenDeadLetters(letters, letters::close);
                },
                Set.copyOf(section.list("dead-letters")),
                () -> RabbitCheckup.of(options),
                true);
    }

    private static Optional<RabbitTls> tls(Section section) {
        Optional<Path> trust = section.file("trusted-certificates");
        Optional<Path> keys = section.file("key-store");
        return trust.isEmpty() && keys.isEmpty()
                ? Optional.empty()
                : Optional.of(new RabbitTls(
                        trust, keys, section.findText("key-store-password").orElse("")));
    }

    private static Topology topology(Section section) {
        Topology topology = Topology.NONE;
        for (Map.Entry<String, String> exchange : section.texts("exchanges").entrySet()) {
            topology = topology.exchange(exchange.getKey(), exchange.getValue());
        }
        for (Map.Entry<String, Section> queue :
                section.section("queues").sections().entrySet()) {
            topology = topology.queue(
                    queue.getKey(), queue.getValue().tree("arguments").orElse(Map.of()));
        }
        for (Section binding : section.items("bindings")) {
            topology = topology.binding(binding.text("queue"), binding.text("exchange"), binding.text("key"));
        }
        return topology;
    }
}
