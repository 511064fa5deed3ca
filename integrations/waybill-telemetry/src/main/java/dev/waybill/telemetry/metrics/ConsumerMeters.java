package dev.waybill.telemetry.metrics;

import dev.waybill.Inbox.Outcome;
import dev.waybill.format.ReceivedEvent;
import dev.waybill.inbox.ConsumerHealth.State;
import dev.waybill.inbox.ConsumerListener;
import dev.waybill.inbox.ConsumerStatistics;
import dev.waybill.inbox.EventConsumer;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** The meters of one consumer. */
final class ConsumerMeters implements ConsumerListener {
    private final String consumer;
    private final Registering registering;
    private final Clock clock;
    private final Timer handling;
    private final Timer lag;

    ConsumerMeters(String consumer, Registering registering) {
        this.consumer = consumer;
        this.registering = registering;
        this.clock = registering.registry().config().clock();
        this.handling = registering.timer(WaybillMeter.CONSUMER_HANDLING, consumer);
        this.lag = registering.timer(WaybillMeter.CONSUMER_LAG, consumer);
    }

    /** From now on the gauges are those of this consumer. */
    void watch(EventConsumer running) {
        ConsumerStatistics statistics = running.statistics();
        counted(statistics, "handled", ConsumerStatistics::handled);
        counted(statistics, "duplicate", ConsumerStatistics::duplicates);
        counted(statistics, "stale", ConsumerStatistics::stale);
        counted(statistics, "skipped", ConsumerStatistics::passedOver);
        counted(statistics, "failed", ConsumerStatistics::failures);
        counted(statistics, "dead", ConsumerStatistics::dead);
        registering.counted(WaybillMeter.CONSUMER_GAPS, statistics, ConsumerStatistics::gaps, consumer);
        registering.gauge(WaybillMeter.CONSUMER_HELD, running::held, consumer);
        registering.gauge(
                WaybillMeter.CONSUMER_OLDEST_AGE,
                () -> running.oldestSent()
                        .map(sent -> age(sent.toEpochMilli()) / 1e3)
                        .orElse(0.0),
                consumer);
        registering.gauge(
                WaybillMeter.CONSUMER_WORKING, () -> running.health().state() == State.WORKING ? 1 : 0, consumer);
    }

    private void counted(ConsumerStatistics statistics, String outcome, ToDoubleFunction<ConsumerStatistics> count) {
        registering.counted(WaybillMeter.CONSUMER_EVENTS, statistics, count, consumer, outcome);
    }

    /** In milliseconds; the sender's clock may be ahead of this machine's. */
    private long age(long sentAt) {
        return Math.max(0, clock.wallTime() - sentAt);
    }

    @Override
    public Handling handling(String name, ReceivedEvent event) {
        long begun = clock.monotonicTime();
        return failure -> handling.record(clock.monotonicTime() - begun, TimeUnit.NANOSECONDS);
    }

    @Override
    public void handled(String name, ReceivedEvent event, Outcome outcome) {
        event.message().sentAt().ifPresent(sent -> lag.record(age(sent.toEpochMilli()), TimeUnit.MILLISECONDS));
    }
}
