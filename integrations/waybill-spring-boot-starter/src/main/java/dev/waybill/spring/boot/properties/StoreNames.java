package dev.waybill.spring.boot.properties;

import java.util.Map;
import java.util.Set;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** The names of the configured stores, without their settings: mistakes in those are reported with all others. */
public final class StoreNames {
    private StoreNames() {}

    /** The configured ones, or {@code main} if there are none. */
    public static Set<String> in(Environment environment) {
        Set<String> configured = configured(environment);
        return configured.isEmpty() ? Set.of(WaybillProperties.MAIN) : configured;
    }

    public static Set<String> configured(Environment environment) {
        Map<String, Object> stores = Binder.get(environment)
                .bind("waybill.stores", Bindable.mapOf(String.class, Object.class))
                .orElse(Map.of());
        return OneName.withoutCopies(stores).keySet();
    }
}
