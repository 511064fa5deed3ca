package dev.waybill.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.support.InFlightBatch.Place;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A message in flight. */
final class Outgoing {
    private final Place place;
    private final BiConsumer<Place, Delivery> answering;
    private final String exchange;
    private final BasicProperties properties;
    /** Messages with the same id that wait until this one is settled, because a return names only the id. Guarded by the channel. */
    private final Queue<Outgoing> waiting = new ArrayDeque<>(0);

    private @Nullable String returned;

    Outgoing(Place place, BiConsumer<Place, Delivery> answering, String exchange, BasicProperties properties) {
        this.place = place;
        this.answering = answering;
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
        return place.message().topic();
    }

    BasicProperties properties() {
        return properties;
    }

    byte[] body() {
        return place.message().value();
    }

    int size() {
        return body().length;
    }

    Queue<Outgoing> waiting() {
        return waiting;
    }

    /** Forgets a return of an earlier attempt. */
    void sending() {
        returned = null;
    }

    /** RabbitMQ returns a message for which no queue is bound, and then acknowledges it. */
    void returned(String replyText) {
        returned = replyText;
    }

    @Nullable String returned() {
        return returned;
    }

    void answer(Delivery delivery) {
        answering.accept(place, delivery);
    }
}
