package dev.waybill.tck.faults;

import java.util.List;
import java.util.Set;

/** The place where a store or a destination lets its calls fail. */
public interface FaultInjection {
    Faults faults();

    /** The ways in which calls can fail here. */
    Set<Failure> ways();

    /** Errors that a call may be answered with where it fails {@link Failure#BEFORE}; at least one. */
    default List<Answer> answers() {
        return List.of(Answer.MAY_PASS);
    }

    /**
     * An error that a server or a broker answers with.
     *
     * @param refuses whether the one that is answered so may be refused for it
     */
    record Answer(String name, boolean refuses) {
        /** An error after which the same call may succeed. */
        public static final Answer MAY_PASS = new Answer("", false);
    }

    /** How many connections are open now. */
    int openConnections();
}
