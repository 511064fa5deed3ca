package dev.waybill.spring.boot.run;

import dev.waybill.spring.boot.store.BoundConnection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.util.ClassUtils;

/** Finds the transaction manager of a data source. */
final class TransactionManagers {
    private static final boolean JPA = ClassUtils.isPresent(
            "org.springframework.orm.jpa.JpaTransactionManager", TransactionManagers.class.getClassLoader());

    private final ListableBeanFactory beans;

    TransactionManagers(ListableBeanFactory beans) {
        this.beans = beans;
    }

    /**
     * The one that manages this data source, that of JPA if there are several, and of those the primary one; or the only one there
     * is. Transactions of one manager of JPA cannot be joined by another.
     *
     * @throws IllegalArgumentException if there is none, or it is not clear which one
     */
    PlatformTransactionManager of(String store, DataSource dataSource) {
        Map<String, PlatformTransactionManager> all = beans.getBeansOfType(PlatformTransactionManager.class);
        PlatformTransactionManager primary =
                beans.getBeanProvider(PlatformTransactionManager.class).getIfUnique();
        List<PlatformTransactionManager> fitting = all.values().stream()
                .filter(manager -> dataSourceOf(manager)
                        .filter(other -> BoundConnection.isSame(other, dataSource))
                        .isPresent())
                .sorted(Comparator.comparing(TransactionManagers::isJpa)
                        .thenComparing(manager -> manager == primary)
                        .reversed())
                .toList();
        if (!fitting.isEmpty()) {
            return fitting.get(0);
        }
        if (all.size() == 1) {
            return all.values().iterator().next();
        }
        throw new IllegalArgumentException("the data source of store " + store
                + (all.isEmpty()
                        ? " has no transaction manager: define one"
                        : " is managed by none of the transaction managers " + all.keySet()
                                + ": define one for it, or name another store"));
    }

    /**
     * Whether a transaction that one manager begins inside one of the other is the same. It is not if either is one of JPA: inside
     * a transaction of JPA, a manager of its data source commits what is not its own.
     */
    static boolean joins(TransactionManager inner, PlatformTransactionManager outer) {
        return inner == outer
                || (inner instanceof PlatformTransactionManager platform
                        && !isJpa(platform)
                        && !isJpa(outer)
                        && dataSourceOf(platform)
                                .filter(dataSource -> dataSourceOf(outer)
                                        .filter(other -> other == dataSource)
                                        .isPresent())
                                .isPresent());
    }

    /** The bean's name, for messages. */
    String nameOf(TransactionManager manager) {
        return beans.getBeansOfType(TransactionManager.class).entrySet().stream()
                .filter(bean -> bean.getValue() == manager)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseGet(() -> manager.getClass().getName());
    }

    private static boolean isJpa(PlatformTransactionManager manager) {
        return JPA && Jpa.isOne(manager);
    }

    private static Optional<DataSource> dataSourceOf(PlatformTransactionManager manager) {
        if (isJpa(manager)) {
            return Jpa.dataSourceOf(manager);
        }
        return manager instanceof ResourceTransactionManager resource
                        && resource.getResourceFactory() instanceof DataSource dataSource
                ? Optional.of(dataSource)
                : Optional.empty();
    }

    /** Loaded only with JPA. */
    private static final class Jpa {
        static boolean isOne(PlatformTransactionManager manager) {
            return manager instanceof JpaTransactionManager;
        }

        static Optional<DataSource> dataSourceOf(PlatformTransactionManager manager) {
            return Optional.ofNullable(((JpaTransactionManager) manager).getDataSource());
        }
    }
}
