package dev.waybill.server.config;

import dev.waybill.rabbitmq.Topology;
import java.util.List;
import java.util.Map;

/** What RabbitMQ is to have: durable exchanges and queues, and the bindings between them. */
final class TopologyBlock {
    private static final Key<Map<String, String>> EXCHANGES = Key.optional(
            "exchanges",
            new Texts("types of exchanges by name"),
            "Exchanges with their types: direct, fanout, topic, headers, or one of a plugin.");
    private static final Key<Map<String, Object>> ARGUMENTS =
            Key.optional("arguments", new Tree("RabbitMQ's own arguments"), "Such as `x-queue-type: quorum`.");
    private static final Key<Named.All<Section>> QUEUES =
            Key.optional("queues", new Named<>("queues", Block.of(ARGUMENTS)), "Queues by name.");
    private static final Key<String> QUEUE = Key.required("queue", Scalars.TEXT, "The queue.");
    private static final Key<String> EXCHANGE = Key.required("exchange", Scalars.TEXT, "Where it gets messages from.");
    private static final Key<String> ROUTING_KEY =
            Key.standard("key", Scalars.ANY_TEXT, "", "The routing key: with which topics.");
    private static final Key<List<Section>> BINDINGS = Key.optional(
            "bindings", new Items<>("bindings", Block.of(QUEUE, EXCHANGE, ROUTING_KEY)), "Which queue gets what.");

    static final Block BLOCK = Block.of(EXCHANGES, QUEUES, BINDINGS);

    private TopologyBlock() {}

    static Topology topology(Section section) {
        Topology topology = Topology.NONE;
        for (Map.Entry<String, String> exchange :
                section.find(EXCHANGES).orElse(Map.of()).entrySet()) {
            topology = topology.exchange(exchange.getKey(), exchange.getValue());
        }
        for (Map.Entry<String, Section> queue :
                section.find(QUEUES).orElse(Named.All.none()).readable().entrySet()) {
            topology = topology.queue(
                    queue.getKey(), queue.getValue().find(ARGUMENTS).orElse(Map.of()));
        }
        for (Section binding : section.find(BINDINGS).orElse(List.of())) {
            topology = topology.binding(binding.get(QUEUE), binding.get(EXCHANGE), binding.get(ROUTING_KEY));
        }
        return topology;
    }
}
