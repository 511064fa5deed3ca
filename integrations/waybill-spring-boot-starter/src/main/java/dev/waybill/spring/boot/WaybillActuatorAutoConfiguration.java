package dev.waybill.spring.boot;

import dev.waybill.spring.boot.actuator.ActuatorConfiguration;
import dev.waybill.spring.boot.run.RunningRelays;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Import;

/** Health and the endpoint {@code waybill}, if Spring Boot's actuator is there. */
@AutoConfiguration(after = WaybillRunAutoConfiguration.class)
@ConditionalOnBean(RunningRelays.class)
@Import(ActuatorConfiguration.class)
public class WaybillActuatorAutoConfiguration {}
