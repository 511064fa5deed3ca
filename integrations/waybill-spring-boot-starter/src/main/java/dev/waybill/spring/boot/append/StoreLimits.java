package dev.waybill.spring.boot.append;

import dev.waybill.Event;
import dev.waybill.InvalidEventException;
import dev.waybill.jdbc.JdbcOutbox;
import dev.waybill.jdbc.OutboxOptions;
import dev.waybill.spring.boot.properties.StoreProperties;
import dev.waybill.spring.boot.properties.StoreType;
import dev.waybill.spring.boot.store.ConfiguredLayout;
import java.util.List;
import java.util.Map;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** What a store can hold, as far as its configuration tells without a database. */
public final class StoreLimits {
    private static final Bindable<Map<String, StoreProperties>> STORES =
            Bindable.mapOf(String.class, StoreProperties.class);

    private final StoreProperties properties;
    private final boolean relational;

    private StoreLimits(StoreProperties properties, boolean relational) {
        this.properties = properties;
        this.relational = relational;
    }

    /** @param hasDataSource without one, a store without a type is in MongoDB */
    public static StoreLimits of(String store, Environment environment, boolean hasDataSource) {
        Binder binder = Binder.get(environment);
        StoreProperties configured =
                binder.bind("waybill.stores", STORES).orElse(Map.of()).get(store);
        StoreProperties properties =
                configured == null ? binder.bindOrCreate("waybill.no-such-store", StoreProperties.class) : configured;
        return new StoreLimits(
                properties, properties.type() == null ? hasDataSource : properties.type() != StoreType.MONGODB);
    }

    /** @throws InvalidEventException if the store cannot hold one of the events; the message says why */
    public void require(List<Event> events) {
        OutboxOptions options = OutboxOptions.defaults().maxPayloadBytes(properties.maxPayloadBytes());
        if (!relational) {
            options.requireSize(events);
        } else if (properties.type() == StoreType.TABLE || properties.layout() != null) {
            JdbcOutbox.table(ConfiguredLayout.of(properties.layout()), options).requireStorable(events);
        } else {
            JdbcOutbox.journal(options).requireStorable(events);
        }
    }
}
