package dev.waybill.kafka;

import dev.waybill.admin.Actor;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.clients.producer.ProducerRecord;

/** A record without value in a letter's partition: the letter was sent back or discarded, and by whom. */
final class DoneMark {
    /** Header with the position of the letter. */
    static final String DONE_WITH = "dead-letter-done";

    private static final String ACTION = "dead-letter-action";
    private static final String WHO = "dead-letter-by";
    private static final String WHY = "dead-letter-why";

    private DoneMark() {}

    static ProducerRecord<byte[], byte[]> on(KafkaMessage letter, String action, Actor by) {
        ProducerRecord<byte[], byte[]> mark =
                new ProducerRecord<>(letter.topic(), letter.partition().partition(), letter.key(), null);
        mark.headers()
                .add(DONE_WITH, utf8(letter.place()))
                .add(ACTION, utf8(action))
                .add(WHO, utf8(by.who()))
                .add(WHY, utf8(by.why()));
        return mark;
    }

    /** The letter that a mark refers to, earlier in the same partition; empty if the record is not a mark. */
    static Optional<LetterPlace> of(KafkaMessage message) {
        return message.source().value() == null
                ? message.header(DONE_WITH)
                        .flatMap(place -> LetterPlace.in(message.topic(), place))
                        .filter(place -> place.partition().equals(message.partition()))
                        .filter(place -> place.offset() < message.offset())
                : Optional.empty();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
