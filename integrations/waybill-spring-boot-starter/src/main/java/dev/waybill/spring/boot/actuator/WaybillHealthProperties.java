package dev.waybill.spring.boot.actuator;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Health of relays and consumers.
 *
 * @param enabled Whether to report the health of Waybill.
 * @param notReadyAfter A relay that has been failing for this long without any progress is down.
 */
@ConfigurationProperties("management.health.waybill")
public record WaybillHealthProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("1m") Duration notReadyAfter) {}
