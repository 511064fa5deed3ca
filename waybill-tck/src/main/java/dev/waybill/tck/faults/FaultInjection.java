package dev.waybill.tck.faults;

import java.util.Set;

/** The place where a store or a destination lets its calls fail. */
public interface FaultInjection {
    Faults faults();

    /** The ways in which calls can fail here. */
    Set<Failure> ways();

    /** How many connections are open now. */
    int openConnections();
}
