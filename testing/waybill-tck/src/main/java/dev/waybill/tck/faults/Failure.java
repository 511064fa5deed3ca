package dev.waybill.tck.faults;

import java.util.EnumSet;
import java.util.Set;

/** A way in which a call to a database or a broker fails. */
public enum Failure {
    /** The call fails and has no effect; the connection lives. */
    BEFORE,
    /** The call takes effect, but its reply is lost with the connection. */
    REPLY_LOST,
    /** The connection is dead: the call has no effect, and neither has any call after it. */
    DISCONNECTED,
    /** SQLSTATE 55P03. The transaction is undone and the connection lives, as after every error of the server. */
    LOCK_TIMEOUT,
    /** SQLSTATE 57014. */
    STATEMENT_TIMEOUT,
    /** SQLSTATE 40001. */
    SERIALIZATION_CONFLICT,
    /** SQLSTATE 53100. */
    DISK_FULL,
    /** SQLSTATE 25006. */
    READ_ONLY,
    /** An {@link InjectedError} instead of the call. */
    ERROR,
    /** An {@link InjectedError} after the call took effect. */
    ERROR_AFTER,
    /** An {@link InjectedError} instead of the call and of the next one, as when memory runs out. */
    ERROR_TWICE,
    /** The call fails without effect, with an exception whose own methods throw. */
    HOSTILE_EXCEPTION,
    /** The call hangs until another owner has taken over, then it goes on. */
    STALL;

    /** Errors that a database server answers with. */
    public static final Set<Failure> OF_A_SERVER =
            Set.copyOf(EnumSet.of(LOCK_TIMEOUT, STATEMENT_TIMEOUT, SERIALIZATION_CONFLICT, DISK_FULL, READ_ONLY));

    /** The SQLSTATE of an error that a database server answers with; 08006, the connection failed, for the others. */
    public String sqlState() {
        return switch (this) {
            case LOCK_TIMEOUT -> "55P03";
            case STATEMENT_TIMEOUT -> "57014";
            case SERIALIZATION_CONFLICT -> "40001";
            case DISK_FULL -> "53100";
            case READ_ONLY -> "25006";
            case BEFORE, REPLY_LOST, DISCONNECTED, ERROR, ERROR_AFTER, ERROR_TWICE, HOSTILE_EXCEPTION, STALL -> "08006";
        };
    }
}
