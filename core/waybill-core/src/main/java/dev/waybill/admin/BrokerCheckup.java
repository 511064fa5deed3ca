package dev.waybill.admin;

import java.util.Collection;
import java.util.List;

/** Looks a broker over for a person: whether it can be reached, and whether what relays publish to is there. */
public interface BrokerCheckup {

    /**
     * Changes nothing at the broker. A broker that is away is a finding, not an exception.
     *
     * @param topics where relays publish to, as far as it is known
     */
    List<Finding> examine(Collection<String> topics);
}
