package dev.waybill.server;

import dev.waybill.admin.RelayStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** How relays stand, for people and for programs. */
final class StatusReport {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private StatusReport() {}

    static String table(List<RelayStatus> relays) {
        if (relays.isEmpty()) {
            return "No relay has read this journal yet. One appears here when it first runs.";
        }
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("RELAY", "STATE", "RUN BY", "BACKLOG", "OLDEST", "PARKED", "DEAD"));
        for (RelayStatus relay : relays) {
            rows.add(List.of(
                    relay.name(),
                    state(relay),
                    relay.lease().map(RelayStatus.Lease::owner).orElse("-"),
                    number(relay.backlog()),
                    relay.oldest().map(StatusReport::age).orElse("-"),
                    number(relay.parked()),
                    number(relay.dead())));
        }
        return aligned(rows);
    }

    static String json(List<RelayStatus> relays) {
        List<Map<String, Object>> list = new ArrayList<>();
        for (RelayStatus relay : relays) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("relay", relay.name());
            one.put("state", state(relay));
            relay.lease().ifPresent(lease -> {
                one.put("owner", lease.owner());
                one.put("epoch", lease.epoch());
                one.put("leaseUntil", lease.until().toString());
            });
            one.put("backlog", relay.backlog());
            relay.oldest().ifPresent(age -> one.put("oldestSeconds", age.toMillis() / 1000.0));
            one.put("parked", relay.parked());
            one.put("dead", relay.dead());
            list.add(one);
        }
        return JSON.writeValueAsString(list);
    }

    private static String state(RelayStatus relay) {
        if (relay.paused()) {
            return "paused";
        }
        return relay.lease().isPresent() ? "running" : "not running";
    }

    private static String number(long n) {
        return String.format(Locale.ROOT, "%,d", n);
    }

    private static String age(Duration age) {
        if (age.toSeconds() < 60) {
            return String.format(Locale.ROOT, "%.1f s", age.toMillis() / 1000.0);
        }
        return age.toHours() > 0
                ? age.toHours() + " h " + age.toMinutesPart() + " min"
                : age.toMinutes() + " min " + age.toSecondsPart() + " s";
    }

    private static String aligned(List<List<String>> rows) {
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < row.size(); column++) {
                int at = column;
                int width =
                        rows.stream().mapToInt(r -> r.get(at).length()).max().orElse(0);
                boolean isNumber = column >= 3;
                line.append(String.format(
                        Locale.ROOT, isNumber ? "%" + width + "s  " : "%-" + width + "s  ", row.get(column)));
            }
            text.append(line.toString().stripTrailing()).append(System.lineSeparator());
        }
        return text.toString().stripTrailing();
    }
}
