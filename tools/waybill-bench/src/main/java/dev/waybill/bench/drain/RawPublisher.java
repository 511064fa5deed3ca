package dev.waybill.bench.drain;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.impl.LongStringHelper;
import dev.waybill.bench.pipes.Contender;
import dev.waybill.rabbitmq.RabbitDestination;
import dev.waybill.spi.OutboundMessage;
import java.io.IOException;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;

/** Publishes from memory, with a bounded number of unconfirmed messages: the limit of RabbitMQ alone. */
final class RawPublisher implements Contender {
    /** It waits for room for this many messages, since waking up for each one would slow it down. */
    private static final int LOT = 50;

    private final Connection connection;
    private final Channel channel;
    private final List<Ready> sample;
    private final int events;
    private final int window;
    private final Semaphore room;
    private final Confirmed confirmed = new Confirmed();

    private record Ready(BasicProperties properties, byte[] body) {}

    /** Counts newly confirmed messages. Used by the thread of the connection only. */
    private static final class Confirmed {
        private final boolean[] done = new boolean[1 << 16];
        private long below = 1;

        int upTo(long number, boolean multiple) {
            int news = 0;
            for (long each = multiple ? below : number; each <= number; each++) {
                news += done[place(each)] ? 0 : 1;
                done[place(each)] = true;
            }
            while (done[place(below)]) {
                done[place(below++)] = false;
            }
            return news;
        }

        private int place(long number) {
            return (int) (number & (done.length - 1));
        }
    }

    RawPublisher(ConnectionFactory factory, List<OutboundMessage> sample, int events, int window)
            throws IOException, TimeoutException {
        this.sample = sample.stream().map(RawPublisher::ready).toList();
        this.events = events;
        this.window = window;
        this.room = new Semaphore(window);
        this.connection = factory.newConnection();
        this.channel = connection.createChannel();
        channel.confirmSelect();
        channel.addConfirmListener(
                (number, multiple) -> room.release(confirmed.upTo(number, multiple)), (number, multiple) -> {
                    throw new IllegalStateException("RabbitMQ rejected a message.");
                });
    }

    /** The same settings as the destination. */
    private static Ready ready(OutboundMessage message) {
        Map<String, Object> headers = new HashMap<>();
        message.headers().forEach(header -> headers.put(header.name(), LongStringHelper.asLongString(header.value())));
        byte[] key = message.key();
        if (key != null) {
            headers.put(RabbitDestination.KEY_HEADER, LongStringHelper.asLongString(key));
        }
        BasicProperties properties = new BasicProperties.Builder()
                .deliveryMode(2)
                .messageId(message.event().id().toString())
                .type(message.event().type().toString())
                .timestamp(Date.from(message.event().createdAt()))
                .contentType(message.event().contentType())
                .headers(headers)
                .build();
        return new Ready(properties, message.value());
    }

    @Override
    public String name() {
        return "raw publisher";
    }

    /** Nothing to do: its messages are in memory. */
    @Override
    public void prepare() {}

    @Override
    public void drain() throws IOException, InterruptedException {
        for (int i = 0; i < events; i++) {
            Ready message = sample.get(i % sample.size());
            if (i % LOT == 0) {
                room.acquire(Math.min(LOT, events - i));
            }
            channel.basicPublish(
                    RabbitDrainWorker.EXCHANGE, RabbitDrainWorker.TOPIC, true, message.properties(), message.body());
        }
        room.acquire(window);
        room.release(window);
    }

    /** Nothing to do: it keeps its connection. */
    @Override
    public void putAway() {}

    @Override
    public void close() {
        connection.abort();
    }
}
