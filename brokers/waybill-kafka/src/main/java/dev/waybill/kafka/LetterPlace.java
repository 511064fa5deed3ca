package dev.waybill.kafka;

import java.util.Optional;
import org.apache.kafka.common.TopicPartition;

/** Position of a record, as written by {@link KafkaMessage#place()}. */
record LetterPlace(TopicPartition partition, long offset) {

    /** @return empty if it is not a position in that topic */
    static Optional<LetterPlace> in(String topic, String place) {
        int at = place.lastIndexOf('@');
        String before = topic + "-";
        if (at < before.length() || !place.startsWith(before)) {
            return Optional.empty();
        }
        try {
            int partition = Integer.parseInt(place.substring(before.length(), at));
            long offset = Long.parseLong(place.substring(at + 1));
            return partition < 0 || offset < 0
                    ? Optional.empty()
                    : Optional.of(new LetterPlace(new TopicPartition(topic, partition), offset));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
