package dev.waybill.spring.wrong.elsewhere;

import dev.waybill.spring.AggregateId;
import dev.waybill.spring.AppendedAs;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.context.annotation.Configuration;

/** An application whose domain event names a store that does not exist. */
@Configuration(proxyBeanMethods = false)
@AutoConfigurationPackage
public class Elsewhere {
    @AppendedAs(type = "e.v1", aggregate = "E", store = "nowhere")
    record InNoStore(@AggregateId String id) {}
}
