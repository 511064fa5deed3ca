package dev.waybill.trials;

import dev.waybill.EventIds;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Events to be delivered one to five times each, all shuffled. */
record Shuffled(List<String> ids, List<Delivery> deliveries) {
    record Delivery(String key, byte[] value) {}

    static Shuffled of(int events, int keys, Random random) {
        List<String> ids = new ArrayList<>();
        List<Delivery> deliveries = new ArrayList<>();
        for (int i = 0; i < events; i++) {
            ids.add(EventIds.next());
            Delivery delivery = new Delivery("k" + i % keys, envelope(ids.get(i), "{\"n\":" + i + "}"));
            deliveries.addAll(Collections.nCopies(1 + random.nextInt(5), delivery));
        }
        Collections.shuffle(deliveries, random);
        return new Shuffled(ids, deliveries);
    }

    static byte[] envelope(String id, String data) {
        return ("{\"eventId\":\"" + id + "\",\"eventType\":\"" + ConsumerSettings.TYPE + "\",\"data\":" + data + "}")
                .getBytes(StandardCharsets.UTF_8);
    }
}
