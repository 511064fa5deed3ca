package dev.waybill.kafka;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.Utf8;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Messages to send, and the wait for what becomes of them. */
final class Letters {
    private Letters() {}

    static OutboundMessage letter(String topic, String key, String text) {
        return letter(topic, key, text, text.getBytes(StandardCharsets.UTF_8));
    }

    static OutboundMessage letter(String topic, String key, String id, byte[] value) {
        LetterEvent event = new LetterEvent(Utf8.of(id), Utf8.of(key));
        return new OutboundMessage(event, topic, key.getBytes(StandardCharsets.UTF_8), value, List.of());
    }

    static List<Delivery> outcomes(CompletionStage<List<Delivery>> stage) throws Exception {
        return stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    private record LetterEvent(Utf8 id, Utf8 aggregateId) implements StoredEvent {
        @Override
        public Utf8 type() {
            return Utf8.of("letter");
        }

        @Override
        public int version() {
            return 1;
        }

        @Override
        public Utf8 aggregateType() {
            return Utf8.of("Letter");
        }

        @Override
        public OptionalLong aggregateVersion() {
            return OptionalLong.empty();
        }

        @Override
        public @Nullable Utf8 topic() {
            return null;
        }

        @Override
        public @Nullable Utf8 key() {
            return null;
        }

        @Override
        public byte[] payload() {
            return new byte[0];
        }

        @Override
        public String contentType() {
            return "application/json";
        }

        @Override
        public @Nullable Utf8 headersJson() {
            return null;
        }

        @Override
        public Instant createdAt() {
            return Instant.EPOCH;
        }

        @Override
        public int attempts() {
            return 0;
        }
    }
}
