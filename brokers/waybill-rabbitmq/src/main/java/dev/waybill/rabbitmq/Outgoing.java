package dev.waybill.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.waybill.spi.Delivery;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** A message on its way: how it is sent, and whom to tell what became of it. */
final class Outgoing {
    private final InFlightBatch batch;
    private final int index;
    private final String exchange;
    private final BasicProperties properties;
    /** What has the same id and must wait until this is settled: a return names only the id. Guarded by the channel. */
    private final Queue<Outgoing> waiting = new ArrayDeque<>(0);

    private @Nullable String returned;

    Outgoing(InFlightBatch batch, int index, String exchange, BasicProperties properties) {
        this.batch = batch;
        this.index = index;
        this.exchange = exchange;
        this.properties = properties;
    }

    String id() {
        return properties.getMessageId();
    }

    String exchange() {
        return exchange;
    }

    String topic() {
        return batch.messages().get(index).topic();
    }

    BasicProperties properties() {
        return properties;
    }

    byte[] body() {
        return batch.messages().get(index).value();
    }

    int size() {
        return body().length;
    }

    Queue<Outgoing> waiting() {
        return waiting;
    }

    /** What came back when it was sent before does not count. */
    void sending() {
        returned = null;
    }

    /** RabbitMQ sends back what no queue is bound for, and acknowledges it after that. */
    void returned(String replyText) {
        returned = replyText;
    }

    @Nullable String returned() {
        return returned;
    }

    void answer(Delivery delivery) {
        batch.answer(index, delivery);
    }
}
