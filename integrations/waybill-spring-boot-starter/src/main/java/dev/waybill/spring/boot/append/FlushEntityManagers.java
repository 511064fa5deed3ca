package dev.waybill.spring.boot.append;

import dev.waybill.spring.boot.store.BoundConnection;
import jakarta.persistence.EntityManager;
import java.util.Map;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.hibernate.engine.spi.SessionImplementor;
import org.springframework.orm.jpa.EntityManagerFactoryInfo;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/**
 * Writes the changes of entities before an event about them: the row is then locked first, which gives concurrent events of one
 * aggregate an order. Errors of the flush, such as a failed optimistic lock, reach the caller as they are.
 */
final class FlushEntityManagers implements Consumer<DataSource> {
    private static final boolean JPA_IS_PRESENT = ClassUtils.isPresent(
                    "org.springframework.orm.jpa.EntityManagerHolder", FlushEntityManagers.class.getClassLoader())
            && ClassUtils.isPresent("jakarta.persistence.EntityManager", FlushEntityManagers.class.getClassLoader());

    private static final boolean HIBERNATE_IS_PRESENT = ClassUtils.isPresent(
            "org.hibernate.engine.spi.SessionImplementor", FlushEntityManagers.class.getClassLoader());

    static Consumer<DataSource> ifPresent() {
        return JPA_IS_PRESENT ? new FlushEntityManagers() : dataSource -> {};
    }

    @Override
    public void accept(DataSource dataSource) {
        for (Map.Entry<Object, Object> resource :
                TransactionSynchronizationManager.getResourceMap().entrySet()) {
            if (resource.getValue() instanceof EntityManagerHolder holder
                    && resource.getKey() instanceof EntityManagerFactoryInfo factory
                    && factory.getDataSource() != null
                    && BoundConnection.isSame(factory.getDataSource(), dataSource)
                    && holder.getEntityManager().isJoinedToTransaction()
                    && !(HIBERNATE_IS_PRESENT && Hibernate.isFlushing(holder.getEntityManager()))) {
                holder.getEntityManager().flush();
            }
        }
    }

    /** Loaded only with Hibernate. */
    private static final class Hibernate {
        /** Then a callback of an entity appends, and a flush inside the flush would write the same changes twice. */
        static boolean isFlushing(EntityManager entities) {
            return entities instanceof SessionImplementor session
                    && session.getPersistenceContext().isFlushing();
        }
    }
}
