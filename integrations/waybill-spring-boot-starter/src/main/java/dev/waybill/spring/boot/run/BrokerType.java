package dev.waybill.spring.boot.run;

import dev.waybill.spring.boot.properties.DestinationProperties;
import dev.waybill.spring.boot.properties.DestinationProperties.DestinationType;

/** A kind of broker whose module is on the class path. */
interface BrokerType {
    DestinationType type();

    /** The name of the destination that Spring Boot's own connection gives. */
    String name();

    /** Whether Spring Boot has a connection to such a broker. */
    boolean isConnected();

    /**
     * @param given what is not set comes from Spring Boot's connection
     * @throws IllegalArgumentException if it cannot be used; the message says why
     */
    Broker broker(DestinationProperties given);
}
