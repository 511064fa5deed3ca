package dev.waybill.spring.boot.append;

import dev.waybill.spring.boot.append.TransactionPhases.Phase;
import dev.waybill.spring.boot.store.BoundConnection;
import java.sql.Connection;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The transaction on a data source. Uses only a connection that a transaction manager bound for it:
 * {@code DataSourceUtils.getConnection} would open another one under a foreign manager, and commit the event alone.
 */
final class JdbcTransaction implements CurrentTransaction<Connection> {
    private final String store;
    private final DataSource dataSource;
    private final TransactionPhases phases;
    private final Consumer<DataSource> flush;

    /**
     * @param flush writes what an object-relational mapper holds back for this data source
     */
    JdbcTransaction(String store, DataSource dataSource, TransactionPhases phases, Consumer<DataSource> flush) {
        this.store = store;
        this.dataSource = dataSource;
        this.phases = phases;
        this.flush = flush;
    }

    @Override
    public Connection join() {
        if (!TransactionSynchronizationManager.isActualTransactionActive()) {
            throw Refusal.NO_TRANSACTION.on(store);
        }
        ConnectionHolder holder = BoundConnection.of(dataSource).orElseThrow(() -> Refusal.OTHER_RESOURCE.on(store));
        Phase phase = phases.of(holder).orElseThrow(() -> Refusal.OTHER_RESOURCE.on(store));
        // If a callback prevented the commit, managers report the end after afterCompletion, where synchronization has
        // ended.
        if (phase == Phase.ENDED || !TransactionSynchronizationManager.isSynchronizationActive()) {
            throw Refusal.ENDED.on(store);
        }
        if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
            throw Refusal.READ_ONLY.on(store);
        }
        if (holder.hasTimeout()) {
            holder.getTimeToLiveInMillis(); // throws after the transaction's timeout, as it does for JdbcTemplate
        }
        flush.accept(dataSource);
        return holder.getConnection();
    }

    @Override
    public String toString() {
        return store;
    }
}
