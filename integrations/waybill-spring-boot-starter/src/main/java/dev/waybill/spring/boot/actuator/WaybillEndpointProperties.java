package dev.waybill.spring.boot.actuator;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The endpoint waybill.
 *
 * @param showPayloads Whether the endpoint shows payloads of events, which may be personal data. Reading one is audited.
 */
@ConfigurationProperties("management.endpoint.waybill")
public record WaybillEndpointProperties(
        @DefaultValue("false") boolean showPayloads) {}
