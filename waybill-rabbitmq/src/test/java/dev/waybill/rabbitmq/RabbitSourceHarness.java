package dev.waybill.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.waybill.admin.DeadLetterBox;
import dev.waybill.spi.Destination;
import dev.waybill.spi.MessageSource;
import dev.waybill.tck.destination.DestinationHarness.Outage;
import dev.waybill.tck.source.DeadLetterHarness;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A queue of a broker, bound by a routing key of another name, and the queue of its dead letters. */
final class RabbitSourceHarness implements DeadLetterHarness {
    private final Broker broker;
    private final Map<String, Object> arguments;
    private final String queue = Broker.unusedTopic();
    private final RabbitDestination destination;
    private final RabbitDeadLetters box;

    RabbitSourceHarness(Broker broker, Map<String, Object> arguments) {
        this.broker = broker;
        this.arguments = arguments;
        broker.run(channel -> {
            channel.queueDeclare(queue, true, false, false, arguments);
            channel.queueBind(queue, Broker.EXCHANGE, "sent." + queue);
        });
        Topology letters = Topology.NONE.deadLetters(queue + ".dlx", deadLetterTopic());
        this.destination = RabbitDestination.connect(
                broker.options().withExchange(queue + ".dlx").withTopology(letters));
        this.box = RabbitDeadLetters.connect(broker.options());
        broker.run(channel -> TopologyDeclaration.declare(letters, channel));
    }

    @Override
    public MessageSource source() {
        return RabbitSource.of(broker.options(), List.of(queue));
    }

    @Override
    public String topic() {
        return queue;
    }

    @Override
    public void send(List<Sent> messages) {
        broker.run(channel -> {
            channel.confirmSelect();
            for (Sent message : messages) {
                Map<String, Object> headers = new HashMap<>(message.headers());
                String key = message.key();
                if (key != null) {
                    headers.put(RabbitDestination.KEY_HEADER, key);
                }
                BasicProperties properties = new BasicProperties.Builder()
                        .deliveryMode(2)
                        .headers(headers)
                        .build();
                channel.basicPublish(Broker.EXCHANGE, "sent." + queue, true, properties, message.value());
            }
            channel.waitForConfirmsOrDie(30_000);
        });
    }

    @Override
    public boolean acknowledgesEach() {
        return true;
    }

    @Override
    public Destination destination() {
        return destination;
    }

    @Override
    public String deadLetterTopic() {
        return queue + ".dlt";
    }

    @Override
    public DeadLetterBox box() {
        return box;
    }

    @Override
    public Optional<Outage> outage() {
        if (arguments.containsKey("x-queue-type")) {
            // A quorum queue of this one node is not back with it after a crash.
            return Optional.empty();
        }
        return Optional.of(broker.outage(broker::stop));
    }

    @Override
    public void close() {
        broker.bringBack();
        box.close();
        destination.close();
    }
}
