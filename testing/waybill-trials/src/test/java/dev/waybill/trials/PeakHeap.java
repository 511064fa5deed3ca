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
 * How much of the heap a process ever used at one moment, and how much of that was alive. The pools' own peaks are of no use:
 * each is of another moment, so that their sum may be more than the heap.
 */
final class PeakHeap {
    private static final AtomicLong USED = new AtomicLong();
    private static final AtomicLong ALIVE = new AtomicLong();
    private static final Set<String> POOLS = ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .map(MemoryPoolMXBean::getName)
            .collect(Collectors.toSet());

    private PeakHeap() {}

    /** From now on: the heap is fullest when a collection begins. */
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
