package dev.waybill.spring.boot.store;

import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.UserCredentialsDataSourceAdapter;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The connection that a transaction manager bound to this thread for a data source. */
public final class BoundConnection {
    private BoundConnection() {}

    public static Optional<ConnectionHolder> of(DataSource dataSource) {
        if (TransactionSynchronizationManager.getResource(dataSource) instanceof ConnectionHolder holder) {
            return Optional.of(holder);
        }
        for (Map.Entry<Object, Object> resource :
                TransactionSynchronizationManager.getResourceMap().entrySet()) {
            if (resource.getKey() instanceof DataSource other
                    && resource.getValue() instanceof ConnectionHolder holder
                    && isSame(other, dataSource)) {
                return Optional.of(holder);
            }
        }
        return Optional.empty();
    }

    /** Whether two data sources are the same behind their wrappers, so that a connection of one is a connection of the other. */
    public static boolean isSame(DataSource one, DataSource other) {
        return one == other || innermost(one) == innermost(other);
    }

    /** Whether it chooses one of several databases for each connection. */
    static boolean isRouted(DataSource dataSource) {
        return innermost(dataSource) instanceof AbstractRoutingDataSource;
    }

    private static DataSource innermost(DataSource dataSource) {
        DataSource inner = dataSource;
        for (DataSource next = inside(inner); next != null; next = inside(inner)) {
            inner = next;
        }
        return inner;
    }

    private static @Nullable DataSource inside(DataSource dataSource) {
        // With other credentials, a connection has another role, whose tables may be others.
        if (dataSource instanceof DelegatingDataSource wrapper
                && !(dataSource instanceof UserCredentialsDataSourceAdapter)) {
            return wrapper.getTargetDataSource();
        }
        return AopProxyUtils.getSingletonTarget(dataSource) instanceof DataSource target ? target : null;
    }
}
