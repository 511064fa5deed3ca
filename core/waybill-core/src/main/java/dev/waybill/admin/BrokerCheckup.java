package dev.waybill.admin;

import java.util.Collection;
import java.util.List;

/** Checks a broker for an operator: whether it is reachable, and whether the topics that relays publish to exist. */
public interface BrokerCheckup {

    /**
     * Changes nothing. An unavailable broker is a finding, not an exception.
     *
     * @param topics the known topics that relays publish to
     */
    List<Finding> examine(Collection<String> topics);
}
