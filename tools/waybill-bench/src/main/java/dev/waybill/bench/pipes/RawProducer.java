package dev.waybill.bench.pipes;

import dev.waybill.spi.OutboundMessage;
import java.util.List;

/** Sends messages from memory: the limit of Kafka alone. */
public final class RawProducer implements Contender {
    private final Sending sending;
    private final List<OutboundMessage> sample;
    private final int events;

    /**
     * @param sample messages like those of the other contenders; sent repeatedly
     */
    public RawProducer(Sending sending, List<OutboundMessage> sample, int events) {
        this.sending = sending;
        this.sample = sample;
        this.events = events;
    }

    @Override
    public String name() {
        return "raw producer";
    }

    /** Nothing to do: its messages are in memory. */
    @Override
    public void prepare() {}

    @Override
    public void drain() {
        for (int i = 0; i < events; i++) {
            sending.send(sample.get(i % sample.size()));
        }
        sending.flush();
    }

    /** Nothing to do: it keeps its connections. */
    @Override
    public void putAway() {}

    @Override
    public void close() {
        sending.close();
    }
}
