package dev.waybill.spring.boot.run;

import dev.waybill.inbox.ConsumerListener;
import dev.waybill.relay.RelayListener;

/** Listeners that must know the kind of broker, named as in {@code messaging.system} of OpenTelemetry. */
public interface BrokerListeners {
    RelayListener relay(String system);

    ConsumerListener consumer(String system);
}
