package dev.waybill.spring.boot.check;

import java.util.List;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;

/** The beans that the configuration can name; none is created. */
record KnownBeans(ListableBeanFactory beans) {
    private static final String MONGO = "org.springframework.data.mongodb.MongoDatabaseFactory";

    List<String> dataSources() {
        return List.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, DataSource.class, true, false));
    }

    /** Names of MongoDatabaseFactory beans; none without Spring Data MongoDB. */
    List<String> mongoDatabases() {
        try {
            Class<?> type = Class.forName(MONGO, false, getClass().getClassLoader());
            return List.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type, true, false));
        } catch (ClassNotFoundException e) {
            return List.of();
        }
    }
}
