package dev.waybill.spring.boot.run;

import dev.waybill.spi.FailureClassifier;
import dev.waybill.spi.FailureKind;
import java.util.Set;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessResourceException;
import org.springframework.transaction.CannotCreateTransactionException;

/**
 * Classifies Spring's exceptions that have no exception of a driver as their cause, and those of JPA. Others are classified by
 * their causes.
 */
public final class SpringFailureClassifier implements FailureClassifier {
    /** By name, because JPA may be absent. */
    private static final Set<String> CONFLICTS_OF_JPA = Set.of(
            "jakarta.persistence.OptimisticLockException",
            "jakarta.persistence.PessimisticLockException",
            "jakarta.persistence.LockTimeoutException");

    @Override
    public FailureKind kindOf(Throwable thrown) {
        if (thrown instanceof ConcurrencyFailureException
                || CONFLICTS_OF_JPA.contains(thrown.getClass().getName())) {
            return FailureKind.CONFLICT;
        }
        boolean away = thrown instanceof DataAccessResourceFailureException
                || thrown instanceof TransientDataAccessResourceException
                || thrown instanceof RecoverableDataAccessException
                || thrown instanceof QueryTimeoutException
                || thrown instanceof CannotCreateTransactionException;
        return away ? FailureKind.UNAVAILABLE : FailureKind.FAILED;
    }
}
