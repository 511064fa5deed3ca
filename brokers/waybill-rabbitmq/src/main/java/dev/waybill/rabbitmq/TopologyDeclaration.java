package dev.waybill.rabbitmq;

import com.rabbitmq.client.Channel;
import java.io.IOException;

/** Declares a topology, durable and without auto-delete. */
final class TopologyDeclaration {
    private TopologyDeclaration() {}

    static void declare(Topology topology, Channel channel) throws IOException {
        for (Topology.Exchange exchange : topology.exchanges()) {
            channel.exchangeDeclare(exchange.name(), exchange.type(), true);
        }
        for (Topology.Queue queue : topology.queues()) {
            channel.queueDeclare(queue.name(), true, false, false, queue.arguments());
        }
        for (Topology.Binding binding : topology.bindings()) {
            channel.queueBind(binding.queue(), binding.exchange(), binding.routingKey());
        }
    }
}
