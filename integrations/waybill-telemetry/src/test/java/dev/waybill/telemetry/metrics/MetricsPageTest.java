package dev.waybill.telemetry.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.telemetry.metrics.WaybillMeter.Kind;
import dev.waybill.testkit.Exposition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The table of meters, the page made from it, and what a registry exports are the same. */
class MetricsPageTest {
    private static final Path PAGE = Path.of("..", "..", "docs", "metrics.md");

    @Test
    void the_page_matches_the_table_of_meters() throws IOException {
        if (Boolean.getBoolean("waybill.docs.write")) {
            Files.writeString(PAGE, MetricsPage.text());
        }
        assertThat(Files.readString(PAGE))
                .as("stale: run this test with -Dwaybill.docs.write=true")
                .isEqualTo(MetricsPage.text());
    }

    @Test
    void exactly_the_meters_of_the_table_are_exported_with_their_kinds_and_labels() {
        Exposition exported = ExportedMeters.scrape();
        Map<String, String> types = new TreeMap<>();
        for (WaybillMeter meter : WaybillMeter.values()) {
            String name = MetricsPage.prometheusName(meter);
            types.put(name, type(meter.kind()));
            if (meter.kind() == Kind.TIMER || meter.kind() == Kind.SUMMARY) {
                types.put(name + "_max", "gauge");
            }
            assertThat(labels(exported, name)).as(name).isEqualTo(labels(meter));
        }
        assertThat(exported.types()).isEqualTo(types);
        assertThat(exported.names()).allMatch(name -> name.startsWith("waybill_"));
    }

    @Test
    void names_are_unique_and_in_one_form() {
        assertThat(Arrays.stream(WaybillMeter.values()).map(WaybillMeter::id))
                .doesNotHaveDuplicates()
                .allMatch(id -> id.matches("waybill(\\.[a-z]+)+"));
        assertThat(Arrays.stream(WaybillMeter.values()).map(WaybillMeter::description))
                .noneMatch(text -> text.endsWith("."));
    }

    private static String type(Kind kind) {
        return switch (kind) {
            case COUNTER -> "counter";
            case GAUGE -> "gauge";
            case SUMMARY -> "summary";
            case TIMER -> "histogram";
        };
    }

    private static Set<String> labels(Exposition exported, String family) {
        return exported.samples().stream()
                .filter(sample -> sample.family().equals(family))
                .flatMap(sample -> sample.labels().keySet().stream())
                .filter(label -> !label.equals("le"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> labels(WaybillMeter meter) {
        return meter.labels().stream().map(WaybillMeter.Label::text).collect(Collectors.toCollection(TreeSet::new));
    }
}
