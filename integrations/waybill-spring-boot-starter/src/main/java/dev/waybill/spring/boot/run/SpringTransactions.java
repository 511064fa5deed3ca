package dev.waybill.spring.boot.run;

import dev.waybill.InboxException;
import dev.waybill.Transactions;
import dev.waybill.spi.FailureKind;
import dev.waybill.spi.TransactionConflictException;
import dev.waybill.spi.TransactionsUnavailableException;
import dev.waybill.spring.boot.store.BoundConnection;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;

/**
 * Transactions of a Spring transaction manager on a data source, so that handlers with JPA, JdbcClient or {@code @Transactional}
 * work in the transaction of the inbox. Joins a transaction that exists. Safe for use by many threads.
 */
final class SpringTransactions implements Transactions<Connection> {
    private static final Logger log = LoggerFactory.getLogger(SpringTransactions.class);

    private final PlatformTransactionManager manager;
    private final DataSource dataSource;

    SpringTransactions(PlatformTransactionManager manager, DataSource dataSource) {
        this.manager = manager;
        this.dataSource = dataSource;
    }

    @Override
    public <R, E extends Exception> R call(Work<Connection, R, E> work) throws E {
        TransactionStatus status = begin();
        R result;
        try {
            result = work.in(bound());
        } catch (Throwable e) {
            boolean cutOff = isCutOff();
            rollback(status);
            throw classified(e, cutOff || e instanceof InboxException);
        }
        commit(status);
        return result;
    }

    private TransactionStatus begin() {
        try {
            return manager.getTransaction(new DefaultTransactionDefinition());
        } catch (TransactionException e) {
            throw unavailable("cannot begin a transaction", e);
        }
    }

    private Connection bound() {
        return BoundConnection.of(dataSource)
                .orElseThrow(() -> new IllegalStateException("The transaction manager "
                        + manager.getClass().getName()
                        + " does not open transactions on the data source of the inbox: define a transaction manager for that"
                        + " data source, or name another store."))
                .getConnection();
    }

    private void commit(TransactionStatus status) {
        try {
            manager.commit(status);
        } catch (RuntimeException | Error e) {
            throw classified(e, true);
        }
    }

    private void rollback(TransactionStatus status) {
        try {
            if (!status.isCompleted()) {
                manager.rollback(status);
            }
        } catch (RuntimeException e) {
            // The first failure is thrown; the transaction has ended with its connection.
            log.debug("A transaction could not be rolled back.", e);
        }
    }

    /** Some drivers only close the connection. */
    private boolean isCutOff() {
        try {
            return BoundConnection.of(dataSource).isPresent() && bound().isClosed();
        } catch (SQLException | RuntimeException e) {
            return true;
        }
    }

    /**
     * @param own whether the failure is one of this database; handlers may use others that are unavailable
     * @return never: throws the failure as it is
     */
    @SuppressWarnings("unchecked") // thrown unchanged, and the work throws only unchecked ones or E
    private static <E extends Throwable> RuntimeException classified(Throwable e, boolean own) throws E {
        FailureKind kind = FailureKind.of(e);
        if (kind == FailureKind.CONFLICT) {
            throw new TransactionConflictException(
                    "The transaction was rolled back by a conflict with another one.", e);
        }
        if (own && kind == FailureKind.UNAVAILABLE) {
            throw unavailable("interrupted the transaction", e);
        }
        throw (E) e;
    }

    private static TransactionsUnavailableException unavailable(String what, Throwable cause) {
        return new TransactionsUnavailableException("The database " + what + " (" + cause.getMessage() + ").", cause);
    }
}
