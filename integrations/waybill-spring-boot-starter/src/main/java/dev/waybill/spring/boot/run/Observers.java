package dev.waybill.spring.boot.run;

import dev.waybill.RelayName;
import dev.waybill.inbox.ConsumerListener;
import dev.waybill.inbox.ConsumerPlan;
import dev.waybill.inbox.EventConsumer;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayListener;
import dev.waybill.relay.RelayPlan;
import java.sql.Connection;
import org.springframework.beans.factory.ListableBeanFactory;

/** Starts relays and consumers with all listeners of the application, and with meters and traces if it has them. */
final class Observers {
    private final ListableBeanFactory beans;

    Observers(ListableBeanFactory beans) {
        this.beans = beans;
    }

    Relay start(RelayPlan plan, Broker broker) {
        return starting().start(with(plan, broker));
    }

    /** The plan with all listeners. */
    RelayPlan with(RelayPlan plan, Broker broker) {
        RelayPlan observed = plan;
        for (RelayListener listener :
                beans.getBeanProvider(RelayListener.class).orderedStream().toList()) {
            observed = observed.listener(listener);
        }
        for (BrokerListeners listeners : ofBrokers()) {
            observed = observed.listener(listeners.relay(broker.system()));
        }
        return observed;
    }

    EventConsumer start(ConsumerPlan<Connection> plan, Broker broker) {
        ConsumerPlan<Connection> observed = plan;
        for (ConsumerListener listener :
                beans.getBeanProvider(ConsumerListener.class).orderedStream().toList()) {
            observed = observed.listener(listener);
        }
        for (BrokerListeners listeners : ofBrokers()) {
            observed = observed.listener(listeners.consumer(broker.system()));
        }
        return starting().start(observed);
    }

    private Iterable<BrokerListeners> ofBrokers() {
        return beans.getBeanProvider(BrokerListeners.class).orderedStream().toList();
    }

    /** @param relay could not be planned or started */
    void failed(RelayName relay) {
        starting().failed(relay);
    }

    /** @param consumer could not be planned or started */
    void failed(String consumer) {
        starting().failed(consumer);
    }

    private Starting starting() {
        return beans.getBeanProvider(Starting.class).getIfAvailable(Starting::plain);
    }
}
