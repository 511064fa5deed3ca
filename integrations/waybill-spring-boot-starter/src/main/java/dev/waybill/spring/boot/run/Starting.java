package dev.waybill.spring.boot.run;

import dev.waybill.RelayName;
import dev.waybill.inbox.ConsumerPlan;
import dev.waybill.inbox.EventConsumer;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayPlan;
import java.sql.Connection;

/** Starts relays and consumers; one that measures them adds meters. */
public interface Starting {
    Relay start(RelayPlan plan);

    EventConsumer start(ConsumerPlan<Connection> plan);

    /** A relay could not be planned or started. */
    default void failed(RelayName relay) {}

    /** A consumer could not be planned or started. */
    default void failed(String consumer) {}

    /** Starts them as they are. */
    static Starting plain() {
        return new Starting() {
            @Override
            public Relay start(RelayPlan plan) {
                return plan.start();
            }

            @Override
            public EventConsumer start(ConsumerPlan<Connection> plan) {
                return plan.start();
            }
        };
    }
}
