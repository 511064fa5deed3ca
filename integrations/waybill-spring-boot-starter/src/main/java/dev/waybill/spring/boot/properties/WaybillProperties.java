package dev.waybill.spring.boot.properties;

import java.util.Collections;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Everything under {@code waybill.*}. Keys and defaults are those of {@code waybill.yaml}; unknown keys are refused.
 *
 * @param autoStartup Whether relays and consumers start with the application. If false, they are created but wait for a start.
 * @param source The source of envelopes, unless the relay has its own. Default: spring.application.name.
 * @param stores Outboxes, by names of your choice. Default: the store main on the only data source.
 * @param destinations Brokers, by names of your choice.
 * @param relays Relays. A relay has the same name in every process that may run it, and keeps it: its position is stored under it.
 * @param consumers Consumers, by the names that their handlers refer to.
 */
@ConfigurationProperties(prefix = "waybill", ignoreUnknownFields = false)
public record WaybillProperties(
        @DefaultValue("true") boolean autoStartup,
        @Nullable String source,
        @DefaultValue Map<String, StoreProperties> stores,
        @DefaultValue Map<String, DestinationProperties> destinations,
        @DefaultValue Map<String, RelayProperties> relays,
        @DefaultValue Map<String, ConsumerProperties> consumers) {
    public static final String PREFIX = "waybill";

    /** The name of what exists without configuration. */
    public static final String MAIN = "main";

    public WaybillProperties {
        stores = Collections.unmodifiableMap(OneName.withoutCopies(stores));
        destinations = Collections.unmodifiableMap(OneName.withoutCopies(destinations));
        relays = Collections.unmodifiableMap(OneName.withoutCopies(relays));
        consumers = Collections.unmodifiableMap(OneName.withoutCopies(consumers));
    }
}
