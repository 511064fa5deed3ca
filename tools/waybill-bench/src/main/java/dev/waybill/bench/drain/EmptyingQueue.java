package dev.waybill.bench.drain;

import com.rabbitmq.client.Channel;
import dev.waybill.bench.pipes.Contender;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Empties RabbitMQ's queue after each run, outside the measured time, so that every run starts with an empty queue. */
record EmptyingQueue(Contender contender, Channel channel) implements Contender {
    @Override
    public String name() {
        return contender.name();
    }

    @Override
    public void prepare() throws Exception {
        contender.prepare();
    }

    @Override
    public void drain() throws Exception {
        contender.drain();
    }

    @Override
    public void putAway() {
        contender.putAway();
        try {
            channel.queuePurge(RabbitDrainWorker.TOPIC);
        } catch (IOException e) {
            throw new UncheckedIOException("RabbitMQ's queue could not be emptied.", e);
        }
    }

    @Override
    public void close() {
        contender.close();
    }
}
