package dev.waybill.kafka;

import dev.waybill.spi.support.InFlightBatch;
import dev.waybill.spi.support.InFlightBatch.Place;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** The batches of a session that are not answered, in the order of their publishes. Used under the session's lock. */
final class InFlight {
    private final Deque<InFlightBatch> batches = new ArrayDeque<>();
    /** Partitions that the producer had chosen for messages that must be placed again. */
    private final Map<Place, TopicPartition> failedOn = new ConcurrentHashMap<>();

    void add(InFlightBatch batch) {
        batches.removeIf(other -> other.open() == 0);
        if (!failedOn.isEmpty()) {
            failedOn.keySet().removeIf(place -> place.batch().open() == 0);
        }
        batches.add(batch);
    }

    /** The messages that are not answered, in the order in which they were published. */
    List<Place> open() {
        return batches.stream().flatMap(batch -> batch.openPlaces().stream()).toList();
    }

    /** Also without the lock. */
    void failedOn(Place place, TopicPartition partition) {
        failedOn.put(place, partition);
    }

    @Nullable TopicPartition failedOn(Place place) {
        return failedOn.get(place);
    }
}
