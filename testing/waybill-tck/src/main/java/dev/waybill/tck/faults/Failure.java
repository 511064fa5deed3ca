package dev.waybill.tck.faults;

import java.util.EnumSet;
import java.util.Set;

/** A way in which a call to a database or a broker fails. */
public enum Failure {
    /** The call fails without effect; the connection stays open. */
    BEFORE,
    /** The call takes effect, but its reply is lost with the connection. */
    REPLY_LOST,
    /** The connection is broken: neither this call nor any later one has an effect. */
    DISCONNECTED,
    /** SQLSTATE 55P03. As after every server error, the transaction is rolled back and the connection stays open. */
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
    /** The call hangs until another owner has taken over, then continues. */
    STALL;

    /** Errors that a database server answers with. */
    public static final Set<Failure> OF_A_SERVER =
            Set.copyOf(EnumSet.of(LOCK_TIMEOUT, STATEMENT_TIMEOUT, SERIALIZATION_CONFLICT, DISK_FULL, READ_ONLY));

    /** The SQLSTATE of a server error; 08006 (connection failure) for other failures. */
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
