package dev.waybill.bench;

import dev.waybill.spi.OutboundMessage;
import java.util.List;

/** Sends bytes that are in memory already: what Kafka alone can take. */
final class RawProducer implements Contender {
    private final Sending sending;
    private final List<OutboundMessage> sample;
    private final int events;

    /**
     * @param sample messages as the others send them; repeated as often as it takes
     */
    RawProducer(Sending sending, List<OutboundMessage> sample, int events) {
        this.sending = sending;
        this.sample = sample;
        this.events = events;
    }

    @Override
    public String name() {
        return "raw producer";
    }

    /** What it sends is in memory. */
    @Override
    public void prepare() {}

    @Override
    public void drain() {
        for (int i = 0; i < events; i++) {
            sending.send(sample.get(i % sample.size()));
        }
        sending.flush();
    }

    /** Keeps its connections. */
    @Override
    public void putAway() {}

    @Override
    public void close() {
        sending.close();
    }
}
