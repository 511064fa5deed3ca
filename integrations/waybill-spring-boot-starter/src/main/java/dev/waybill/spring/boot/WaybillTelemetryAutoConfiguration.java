package dev.waybill.spring.boot;

import dev.waybill.spring.boot.store.WaybillStores;
import dev.waybill.spring.boot.telemetry.TelemetryConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Import;

/** Meters and spans of relays and consumers, if the module waybill-telemetry is there with Micrometer or OpenTelemetry. */
@AutoConfiguration(
        after = WaybillRunAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.opentelemetry.autoconfigure.OpenTelemetrySdkAutoConfiguration"
        })
@ConditionalOnBean(WaybillStores.class)
@Import(TelemetryConfiguration.class)
public class WaybillTelemetryAutoConfiguration {}
