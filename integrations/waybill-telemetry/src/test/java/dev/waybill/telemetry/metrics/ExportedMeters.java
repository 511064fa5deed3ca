package dev.waybill.telemetry.metrics;

import dev.waybill.admin.DeadLetterCount;
import dev.waybill.testkit.Exposition;
import java.util.List;
import java.util.Map;

/** A scrape of a process in which every meter has a value. */
final class ExportedMeters {
    private ExportedMeters() {}

    static Exposition scrape() {
        try (Scene scene = new Scene()) {
            scene.append("a");
            scene.send("1", "placed");
            scene.relay("orders");
            scene.consumer("billing", (transaction, event) -> {});
            scene.store("shop");
            scene.meters.logins(() -> 1);
            scene.deadLetters("kafka", () -> List.of(new DeadLetterCount("a.dlt", 1, true, Map.of("billing", 1L))));
            scene.until(1, "waybill_relay_published_total");
            scene.until(1, "waybill_consumer_lag_seconds_count");
            scene.until(1, "waybill_store_lease_held");
            scene.until(1, "waybill_dead_letters");
            return scene.scrape();
        }
    }
}
