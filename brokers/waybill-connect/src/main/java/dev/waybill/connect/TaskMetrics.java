package dev.waybill.connect;

import dev.waybill.RelayName;
import dev.waybill.relay.Relay;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The numbers of a task's relay, as a bean. */
final class TaskMetrics implements TaskMetricsMXBean, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(TaskMetrics.class);

    /** The registered beans: a task that ends late must not unregister the bean of its successor. */
    private static final Map<ObjectName, TaskMetrics> REGISTERED = new ConcurrentHashMap<>();

    private final Relay relay;
    private final ObjectName name;

    private TaskMetrics(Relay relay, ObjectName name) {
        this.relay = relay;
        this.name = name;
    }

    /** A bean of the same name, of a task that has not ended yet, is replaced. */
    static TaskMetrics register(RelayName relay, String store, Relay running) {
        TaskMetrics metrics = new TaskMetrics(running, name(relay, store));
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        try {
            if (server.isRegistered(metrics.name)) {
                server.unregisterMBean(metrics.name);
            }
            server.registerMBean(metrics, metrics.name);
            REGISTERED.put(metrics.name, metrics);
        } catch (JMException e) {
            log.warn(
                    "Relay {}: its numbers are not available over JMX ({}). It works without them.",
                    relay,
                    e.getMessage());
        }
        return metrics;
    }

    private static ObjectName name(RelayName relay, String store) {
        try {
            return new ObjectName("dev.waybill.connect:type=task,relay=" + ObjectName.quote(relay.value()) + ",store="
                    + ObjectName.quote(store));
        } catch (JMException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public String getState() {
        return relay.statistics().state().phase().name();
    }

    @Override
    public String getProblem() {
        return relay.statistics().state().problem().orElse("");
    }

    @Override
    public long getFailingForMillis() {
        return relay.failingFor().map(Duration::toMillis).orElse(0L);
    }

    @Override
    public long getPublished() {
        return relay.statistics().published();
    }

    @Override
    public long getDead() {
        return relay.statistics().dead();
    }

    @Override
    public long getRetried() {
        return relay.statistics().retried();
    }

    @Override
    public long getBehind() {
        return relay.statistics().behind();
    }

    @Override
    public long getRepeats() {
        return relay.statistics().repeats();
    }

    @Override
    public long getSessions() {
        return relay.statistics().sessions();
    }

    @Override
    public void close() {
        if (!REGISTERED.remove(name, this)) {
            return;
        }
        try {
            ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
        } catch (JMException e) {
            log.debug("The bean {} is not registered any more.", name);
        }
    }
}
