package dev.waybill.connect;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.ConnectorTransactionBoundaries;
import org.apache.kafka.connect.source.ExactlyOnceSupport;
import org.apache.kafka.connect.source.SourceConnector;

/**
 * Publishes journals and outbox tables from a Kafka Connect cluster, one task for each store. A journal is published exactly once
 * on workers with exactly-once support, if the connector defines the transactions; everything else at least once, in order per key.
 */
public final class WaybillSourceConnector extends SourceConnector {
    private Map<String, String> configuration = Map.of();

    /** For Connect. */
    public WaybillSourceConnector() {}

    @Override
    public String version() {
        return PluginVersion.get();
    }

    @Override
    public ConfigDef config() {
        return ConnectorKeys.definition();
    }

    @Override
    public Config validate(Map<String, String> given) {
        return ConfigurationCheck.complete(given, super.validate(given));
    }

    @Override
    public ExactlyOnceSupport exactlyOnceSupport(Map<String, String> given) {
        boolean journals = ConfiguredStores.tasks(given).stream()
                .map(ConfiguredStores::ofTask)
                .map(task -> task.getOrDefault(ConnectorKeys.STORE_TYPE, ConnectorKeys.JOURNAL))
                .allMatch(ConnectorKeys.JOURNAL::equals);
        boolean boundaries = ConfigurationCheck.BY_CONNECTOR.equalsIgnoreCase(given.get(ConfigurationCheck.BOUNDARY));
        return journals && boundaries ? ExactlyOnceSupport.SUPPORTED : ExactlyOnceSupport.UNSUPPORTED;
    }

    @Override
    public ConnectorTransactionBoundaries canDefineTransactionBoundaries(Map<String, String> given) {
        return ConnectorTransactionBoundaries.SUPPORTED;
    }

    @Override
    public boolean alterOffsets(Map<String, String> given, Map<Map<String, ?>, Map<String, ?>> offsets) {
        AlteredOffsets.apply(given, offsets);
        return true;
    }

    @Override
    public void start(Map<String, String> given) {
        configuration = Map.copyOf(given);
    }

    @Override
    public Class<? extends Task> taskClass() {
        return WaybillSourceTask.class;
    }

    @Override
    public List<Map<String, String>> taskConfigs(int atMost) {
        List<Map<String, String>> tasks = ConfiguredStores.tasks(configuration);
        if (tasks.size() > atMost) {
            throw new ConnectException("There are " + tasks.size() + " stores, and tasks.max is " + atMost
                    + ": each store has its own task, so raise tasks.max to " + tasks.size() + ".");
        }
        return tasks;
    }

    @Override
    public void stop() {
        configuration = Map.of();
    }
}
