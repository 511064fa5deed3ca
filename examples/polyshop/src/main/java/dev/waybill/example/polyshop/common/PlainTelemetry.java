package dev.waybill.example.polyshop.common;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SdkTracerProviderBuilder;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import java.util.Optional;

/** Spans of a service without a framework; exported if the variable OTLP has the address of a collector. */
final class PlainTelemetry {
    private PlainTelemetry() {}

    static OpenTelemetry of(String service) {
        SdkTracerProviderBuilder spans = SdkTracerProvider.builder()
                .setResource(Resource.getDefault()
                        .merge(Resource.create(Attributes.of(AttributeKey.stringKey("service.name"), service))));
        Optional.ofNullable(System.getenv("OTLP"))
                .map(address ->
                        OtlpHttpSpanExporter.builder().setEndpoint(address).build())
                .ifPresent(exporter -> spans.addSpanProcessor(
                        BatchSpanProcessor.builder(exporter).build()));
        return OpenTelemetrySdk.builder()
                .setTracerProvider(spans.build())
                .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
                .build();
    }
}
