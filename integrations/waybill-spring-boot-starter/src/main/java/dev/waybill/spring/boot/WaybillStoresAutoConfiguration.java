package dev.waybill.spring.boot;

import dev.waybill.spring.SpringOutbox;
import dev.waybill.spring.boot.check.CollectMistakes;
import dev.waybill.spring.boot.properties.StoreProperties;
import dev.waybill.spring.boot.properties.WaybillProperties;
import dev.waybill.spring.boot.store.StoreFactory;
import dev.waybill.spring.boot.store.WaybillStores;
import java.util.Map;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.Environment;

/**
 * The stores of the application, if there is a database, or a store is configured. An application with outboxes of its own, such
 * as those in memory for tests, has none.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration",
            "org.springframework.boot.liquibase.autoconfigure.LiquibaseAutoConfiguration",
            "org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration",
            "org.springframework.boot.data.mongodb.autoconfigure.DataMongoAutoConfiguration"
        })
@Conditional(OnDatabaseOrStore.class)
@ConditionalOnMissingBean(SpringOutbox.class)
@EnableConfigurationProperties(WaybillProperties.class)
public class WaybillStoresAutoConfiguration {

    @Bean
    static CollectMistakes waybillCollectsMistakes(ListableBeanFactory beans) {
        return new CollectMistakes(beans);
    }

    @Bean
    @DependsOnDatabaseInitialization
    WaybillStores waybillStores(WaybillProperties properties, BeanFactory beans, Environment environment) {
        return new StoreFactory(beans).create(stores(properties, environment));
    }

    /** Without configuration: the store {@code main}, with all defaults. */
    private static Map<String, StoreProperties> stores(WaybillProperties properties, Environment environment) {
        if (!properties.stores().isEmpty()) {
            return properties.stores();
        }
        StoreProperties defaults = Binder.get(environment).bindOrCreate("waybill.no-such-store", StoreProperties.class);
        return Map.of(WaybillProperties.MAIN, defaults);
    }
}
