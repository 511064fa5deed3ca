package dev.waybill.spring.boot.run;

import dev.waybill.format.HeaderStyle;
import dev.waybill.pubsub.PubSubDeadLetters;
import dev.waybill.pubsub.PubSubDestination;
import dev.waybill.pubsub.PubSubOptions;
import dev.waybill.pubsub.PubSubSource;
import dev.waybill.spi.Destination;
import dev.waybill.spi.MessageSource;
import java.util.List;

/** Google Pub/Sub. A consumer reads the subscription that has its name. */
record PubSubBroker(PubSubOptions options) implements Broker {
    @Override
    public String system() {
        return "gcp_pubsub";
    }

    @Override
    public HeaderStyle headers() {
        return HeaderStyle.ATTRIBUTES;
    }

    @Override
    public Destination connect() {
        return PubSubDestination.of(options);
    }

    @Override
    public MessageSource source(String consumer, List<String> topics) {
        if (topics.size() != 1) {
            throw new IllegalArgumentException("it has " + topics.size() + " topics " + topics
                    + ", but reads one subscription of Pub/Sub, which has one topic: use a consumer for each topic");
        }
        return PubSubSource.of(options, consumer, topics.get(0));
    }

    /** Letters that were read are leased for a while, so an operator would not find them. */
    @Override
    public boolean countsFreely() {
        return false;
    }

    @Override
    public OpenDeadLetters openDeadLetters() {
        PubSubDeadLetters letters = PubSubDeadLetters.of(options);
        return new OpenDeadLetters(letters, letters::close);
    }
}
