package dev.waybill.kafka;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.transaction.TransactionalWriter;
import dev.waybill.spi.transaction.WindowPosition;
import dev.waybill.tck.destination.SentMessage;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** Messages to send, and the wait for what becomes of them. */
final class Letters {
    private Letters() {}

    static OutboundMessage letter(String topic, String key, String text) {
        return letter(topic, key, text, text.getBytes(StandardCharsets.UTF_8));
    }

    static OutboundMessage letter(String topic, String key, String id, byte[] value) {
        return SentMessage.of(topic, key, id, value);
    }

    static List<Delivery> outcomes(CompletionStage<List<Delivery>> stage) throws Exception {
        return stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    /** Sends the batch in the writer's transaction, and waits for the answers. */
    static List<Delivery> published(TransactionalWriter writer, List<OutboundMessage> batch) throws Exception {
        return outcomes(writer.publish(batch, index -> new WindowPosition(new UUID(0, 0), index)));
    }
}
