package dev.waybill.trials;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.GcInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;

/**
 * Maximum heap usage of a process at one moment, and how much of it was live. The peaks of the memory pools cannot be
 * added: they occur at different times, so that their sum may exceed the heap.
 */
final class PeakHeap {
    private static final AtomicLong USED = new AtomicLong();
    private static final AtomicLong ALIVE = new AtomicLong();
    private static final Set<String> POOLS = ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .map(MemoryPoolMXBean::getName)
            .collect(Collectors.toSet());

    private PeakHeap() {}

    /** Starts measuring: heap usage is highest when a collection begins. */
    static void watch() {
        ManagementFactory.getGarbageCollectorMXBeans()
                .forEach(collector -> ((NotificationEmitter) collector)
                        .addNotificationListener(
                                (notification, nothing) -> {
                                    GcInfo gc = GarbageCollectionNotificationInfo.from(
                                                    (CompositeData) notification.getUserData())
                                            .getGcInfo();
                                    USED.accumulateAndGet(sum(gc.getMemoryUsageBeforeGc()), Math::max);
                                    ALIVE.accumulateAndGet(sum(gc.getMemoryUsageAfterGc()), Math::max);
                                },
                                null,
                                null));
    }

    private static long sum(Map<String, MemoryUsage> pools) {
        return pools.entrySet().stream()
                .filter(pool -> POOLS.contains(pool.getKey()))
                .mapToLong(pool -> pool.getValue().getUsed())
                .sum();
    }

    static String inWords() {
        return "heap used at most " + (USED.get() >> 20) + " MB, after a collection at most " + (ALIVE.get() >> 20)
                + " MB, of " + (Runtime.getRuntime().maxMemory() >> 20) + " MB";
    }
}
