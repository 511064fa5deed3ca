package dev.waybill.connect;

import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayPlan;
import dev.waybill.spi.EventStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTask;
import org.apache.kafka.connect.source.TransactionContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Publishes one store: a relay, whose destination is Connect. */
public final class WaybillSourceTask extends SourceTask {
    private static final Logger log = LoggerFactory.getLogger(WaybillSourceTask.class);

    /** Connect cannot stop or pause a task while it polls. */
    private static final Duration POLL = Duration.ofMillis(500);

    private final RecordQueue queue = new RecordQueue();
    private @Nullable Relay relay;
    private @Nullable TaskMetrics metrics;
    private @Nullable TransactionContext transactions;

    /** For Connect. */
    public WaybillSourceTask() {}

    @Override
    public String version() {
        return PluginVersion.get();
    }

    @Override
    public void start(Map<String, String> given) {
        Map<String, String> task = ConfiguredStores.ofTask(given);
        AbstractConfig config = new AbstractConfig(ConnectorKeys.definition(), task, false);
        StoreSettings store = new StoreSettings(config);
        RelaySettings settings = new RelaySettings(config);
        transactions = context.transactionContext();
        boolean required = ConfigurationCheck.REQUIRED.equalsIgnoreCase(task.get(ConfigurationCheck.SUPPORT));
        if (required && transactions == null) {
            throw new ConnectException("Relay " + settings.name() + ": " + ConfigurationCheck.SUPPORT
                    + " is required, but this worker makes no transactions. Use a distributed worker with"
                    + " exactly.once.source.support=enabled, or remove the key for at least once.");
        }
        String storeName = ConfiguredStores.nameOf(task);
        try {
            relay = plan(store.store(), settings, storeName, store.isJournal()).start();
        } catch (IllegalArgumentException e) {
            throw new ConnectException("Relay " + settings.name() + " cannot start: " + e.getMessage(), e);
        }
        metrics = TaskMetrics.register(settings.name(), storeName, relay);
        log.info(
                "Relay {}: publishes store {} through Kafka Connect, {}.",
                settings.name(),
                storeName,
                isExactlyOnce(store.isJournal()) ? "exactly once" : "at least once");
    }

    private boolean isExactlyOnce(boolean journal) {
        return journal && transactions != null;
    }

    private RelayPlan plan(EventStore store, RelaySettings settings, String storeName, boolean journal) {
        ConnectDestination destination = new ConnectDestination(
                queue,
                settings.form(),
                SourceOffsets.partition(settings.name(), storeName),
                new CommittedOffsets(settings.name(), context.offsetStorageReader()));
        RelayPlan plan = Relay.named(settings.name().value())
                .from(store)
                .to(destination)
                .route(settings.route())
                .format(settings.format())
                .options(settings.options());
        return isExactlyOnce(journal) ? plan.exactlyOnce(settings.transactions()) : plan;
    }

    @Override
    public @Nullable List<SourceRecord> poll() throws InterruptedException {
        TransactionContext ending = transactions;
        if (ending != null) {
            // The transaction ends with this poll. No other record joins it until the last poll is committed as a
            // whole.
            ending.commitTransaction();
            if (!queue.isTakenCommitted()) {
                return null;
            }
        }
        List<SourceRecord> records = queue.take(POLL);
        return records.isEmpty() ? null : records;
    }

    /** On the producer's thread, or with transactions on the thread of the task. */
    @Override
    public void commitRecord(SourceRecord record, RecordMetadata metadata) {
        if (record instanceof EventRecord event) {
            event.committed();
        }
    }

    /** Connect calls it after the last poll, when it has committed what it could. */
    @Override
    public void stop() {
        queue.stop();
        Relay running = relay;
        if (running != null) {
            running.close();
        }
        TaskMetrics registered = metrics;
        if (registered != null) {
            registered.close();
        }
    }
}
