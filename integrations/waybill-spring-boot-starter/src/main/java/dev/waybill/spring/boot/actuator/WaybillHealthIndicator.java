package dev.waybill.spring.boot.actuator;

import dev.waybill.spring.boot.run.RunningConsumers;
import dev.waybill.spring.boot.run.RunningRelays;
import java.time.Duration;
import java.util.Map;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Down if a relay or a consumer does not run although it should, if a relay has been failing for a while without any progress, or if
 * a defect blocks a consumer. Reads no database: it answers at once.
 */
final class WaybillHealthIndicator extends AbstractHealthIndicator {
    private final RunningRelays relays;
    private final RunningConsumers consumers;
    private final Duration notReadyAfter;

    WaybillHealthIndicator(RunningRelays relays, RunningConsumers consumers, Duration notReadyAfter) {
        super("The health of Waybill could not be determined");
        this.relays = relays;
        this.consumers = consumers;
        this.notReadyAfter = notReadyAfter;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        Map<String, String> ofRelays = relays.problems(notReadyAfter);
        Map<String, String> ofConsumers = consumers.problems();
        if (ofRelays.isEmpty() && ofConsumers.isEmpty()) {
            builder.up();
        } else {
            builder.down();
        }
        if (!ofRelays.isEmpty()) {
            builder.withDetail("relays", ofRelays);
        }
        if (!ofConsumers.isEmpty()) {
            builder.withDetail("consumers", ofConsumers);
        }
    }
}
