package dev.waybill.tck.faults;

import java.util.List;
import java.util.Set;

/** Makes calls of a store or a destination fail. */
public interface FaultInjection {
    Faults faults();

    /** The ways in which calls can fail here. */
    Set<Failure> ways();

    /** Errors for a call that fails {@link Failure#BEFORE}; at least one. */
    default List<Answer> answers() {
        return List.of(Answer.MAY_PASS);
    }

    /**
     * An error that a server or a broker answers with.
     *
     * @param refuses whether this error may cause a refusal
     */
    record Answer(String name, boolean refuses) {
        /** An error after which the same call may succeed. */
        public static final Answer MAY_PASS = new Answer("", false);
    }

    /** Number of open connections. */
    int openConnections();
}
