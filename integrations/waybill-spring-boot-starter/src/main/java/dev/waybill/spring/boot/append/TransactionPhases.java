package dev.waybill.spring.boot.append;

import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.JdbcTransactionObjectSupport;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.DefaultTransactionStatus;

/**
 * Knows which connections of this thread carry a transaction, and whether it can still take an insert. Spring itself does not
 * tell: a holder may have been bound by {@code DataSourceUtils} under a foreign transaction manager, and callbacks after the
 * commit still see an active transaction. So transaction managers report what they begin and end.
 */
final class TransactionPhases implements TransactionExecutionListener {
    /** Holders have no equality, so they are compared by identity. */
    private final ThreadLocal<Map<ConnectionHolder, Phase>> begun = ThreadLocal.withInitial(WeakHashMap::new);

    /** The state of a transaction that a manager began. */
    enum Phase {
        OPEN,
        ENDED
    }

    /** Empty if no transaction manager began a transaction on this connection. */
    Optional<Phase> of(ConnectionHolder holder) {
        return Optional.ofNullable(begun.get().get(holder));
    }

    @Override
    public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
        if (failure == null) {
            holder(transaction).ifPresent(holder -> begun.get().put(holder, Phase.OPEN));
        }
    }

    /** Called after the callbacks that still belong to the transaction. */
    @Override
    public void beforeCommit(TransactionExecution transaction) {
        end(transaction);
    }

    @Override
    public void beforeRollback(TransactionExecution transaction) {
        end(transaction);
    }

    private void end(TransactionExecution transaction) {
        holder(transaction).ifPresent(holder -> begun.get().put(holder, Phase.ENDED));
    }

    @Override
    public void afterCommit(TransactionExecution transaction, @Nullable Throwable failure) {
        forget(transaction);
    }

    @Override
    public void afterRollback(TransactionExecution transaction, @Nullable Throwable failure) {
        forget(transaction);
    }

    private void forget(TransactionExecution transaction) {
        holder(transaction).ifPresent(begun.get()::remove);
        if (begun.get().isEmpty()) {
            begun.remove();
        }
    }

    /** Empty for a savepoint, which begins and ends inside a transaction that stays open. */
    private static Optional<ConnectionHolder> holder(TransactionExecution transaction) {
        if (transaction instanceof DefaultTransactionStatus status
                && status.isNewTransaction()
                && status.getTransaction() instanceof JdbcTransactionObjectSupport jdbc
                && jdbc.hasConnectionHolder()) {
            return Optional.of(jdbc.getConnectionHolder());
        }
        return Optional.empty();
    }
}
