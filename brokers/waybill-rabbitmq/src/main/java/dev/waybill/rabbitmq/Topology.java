package dev.waybill.rabbitmq;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Durable exchanges, queues and bindings that are declared when connecting. Declaring an identical one again has no effect.
 *
 * <pre>{@code
 * Topology.NONE
 *         .topicExchange("notifications.exchange")
 *         .queue("notification.customer", "notifications.exchange", "notification.customer")
 * }</pre>
 */
public record Topology(List<Exchange> exchanges, List<Queue> queues, List<Binding> bindings) {
    public static final Topology NONE = new Topology(List.of(), List.of(), List.of());

    /** @param type direct, fanout, topic, headers, or one of a plugin */
    public record Exchange(String name, String type) {}

    /** @param arguments RabbitMQ's own, such as {@code x-queue-type} or {@code x-max-length} */
    public record Queue(String name, Map<String, Object> arguments) {
        public Queue {
            arguments = Map.copyOf(arguments);
        }
    }

    public record Binding(String queue, String exchange, String routingKey) {}

    public Topology {
        exchanges = List.copyOf(exchanges);
        queues = List.copyOf(queues);
        bindings = List.copyOf(bindings);
    }

    public Topology exchange(String name, String type) {
        return new Topology(plus(exchanges, new Exchange(name, type)), queues, bindings);
    }

    public Topology topicExchange(String name) {
        return exchange(name, "topic");
    }

    public Topology queue(String name, Map<String, Object> arguments) {
        return new Topology(exchanges, plus(queues, new Queue(name, arguments)), bindings);
    }

    /** A queue, bound to an exchange by a key. */
    public Topology queue(String name, String exchange, String routingKey) {
        return queue(name, Map.of()).binding(name, exchange, routingKey);
    }

    /** An exchange for dead letters, and a queue that receives everything published to it. */
    public Topology deadLetters(String exchange, String queue) {
        return topicExchange(exchange).queue(queue, exchange, "#");
    }

    public Topology binding(String queue, String exchange, String routingKey) {
        return new Topology(exchanges, queues, plus(bindings, new Binding(queue, exchange, routingKey)));
    }

    boolean isEmpty() {
        return exchanges.isEmpty() && queues.isEmpty() && bindings.isEmpty();
    }

    private static <T> List<T> plus(List<T> list, T one) {
        List<T> all = new ArrayList<>(list);
        all.add(one);
        return all;
    }
}
