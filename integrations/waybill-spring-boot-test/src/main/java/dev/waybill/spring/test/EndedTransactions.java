package dev.waybill.spring.test;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * Knows whether the transaction of this thread has ended, while its callbacks still see an active one. Transaction managers that
 * are beans report what they begin and end.
 */
final class EndedTransactions implements TransactionExecutionListener, BeanPostProcessor {
    /** Whether each transaction of the thread has ended; the current one is the first, those that it suspended follow. */
    private final ThreadLocal<Deque<Boolean>> transactions = ThreadLocal.withInitial(ArrayDeque::new);

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof PlatformTransactionManager && bean instanceof ConfigurableTransactionManager manager) {
            manager.addListener(this);
        }
        return bean;
    }

    boolean isCurrent() {
        return Boolean.TRUE.equals(transactions.get().peek());
    }

    @Override
    public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
        if (failure == null && transaction.isNewTransaction()) {
            transactions.get().push(false);
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
        if (transaction.isNewTransaction() && transactions.get().poll() != null) {
            transactions.get().push(true);
        }
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
        if (transaction.isNewTransaction()) {
            transactions.get().poll();
        }
        if (transactions.get().isEmpty()) {
            transactions.remove();
        }
    }
}
