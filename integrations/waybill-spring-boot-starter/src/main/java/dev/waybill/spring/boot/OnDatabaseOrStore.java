package dev.waybill.spring.boot;

import dev.waybill.spring.boot.properties.StoreNames;
import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** There is a database, or the configuration of a store, which then says what it lacks. */
class OnDatabaseOrStore extends AnyNestedCondition {
    OnDatabaseOrStore() {
        super(ConfigurationPhase.REGISTER_BEAN);
    }

    @ConditionalOnBean(DataSource.class)
    static class OnDataSource {}

    @ConditionalOnBean(type = "org.springframework.data.mongodb.MongoDatabaseFactory")
    static class OnMongo {}

    @Conditional(OnStore.class)
    static class OnConfiguredStore {}

    /** A store is configured. */
    static class OnStore extends SpringBootCondition {
        @Override
        public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
            boolean configured =
                    !StoreNames.configured(context.getEnvironment()).isEmpty();
            ConditionMessage.Builder message = ConditionMessage.forCondition("store of Waybill");
            return new ConditionOutcome(
                    configured,
                    configured ? message.because("a store is configured") : message.because("no store is configured"));
        }
    }
}
