package dev.waybill.telemetry.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.testkit.Exposition;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The alert rules and the dashboard in docs/monitoring use what is exported, and nothing else. */
class MonitoringFilesTest {
    private static final Path DIRECTORY = Path.of("..", "..", "docs", "monitoring");
    private static final Path RULES = DIRECTORY.resolve("waybill-alerts.yml");
    private static final Path RULE_TESTS = DIRECTORY.resolve("waybill-alerts-test.yml");

    private static final Pattern RULE = Pattern.compile("- alert: (\\w+)\\n +expr: (.+)\\n");
    private static final Pattern METRIC = Pattern.compile("\\b(waybill_\\w+|\\w+(?=[{\\[]))");
    private static final Pattern MATCHED = Pattern.compile("[{,] *(\\w+) *(?:=~|!~|!=|=)");
    private static final Pattern GROUPED = Pattern.compile("\\bby \\(([^)]*)\\)");

    /** Prometheus adds them to every sample. */
    private static final Set<String> OF_SCRAPES = Set.of("job", "instance");

    private static Exposition exported;

    @BeforeAll
    static void export() {
        exported = ExportedMeters.scrape();
    }

    @Test
    void every_metric_and_label_of_the_alert_rules_is_exported() throws IOException {
        List<String> expressions = new ArrayList<>();
        Matcher rule = RULE.matcher(Files.readString(RULES));
        while (rule.find()) {
            expressions.add(rule.group(2));
        }
        assertThat(expressions).hasSizeGreaterThan(10);
        expressions.forEach(MonitoringFilesTest::checkExpression);
    }

    @Test
    void every_metric_and_label_of_the_dashboard_is_exported() throws IOException {
        List<String> expressions = expressions(dashboard());
        assertThat(expressions).hasSizeGreaterThan(20);
        expressions.forEach(MonitoringFilesTest::checkExpression);
    }

    /** Applications may use the same names of stores, relays and consumers: one must not hide the other. */
    @Test
    void every_aggregation_tells_applications_apart() throws IOException {
        List<String> expressions = new ArrayList<>(expressions(dashboard()));
        RULE.matcher(Files.readString(RULES)).results().forEach(rule -> expressions.add(rule.group(2)));
        assertThat(expressions)
                .allSatisfy(expression -> assertThat(GROUPED.matcher(expression).results())
                        .allSatisfy(grouped -> assertThat(grouped.group(1)).containsPattern("\\bjob\\b")));
    }

    @Test
    void every_metric_is_drawn_on_the_dashboard() throws IOException {
        Set<String> drawn = expressions(dashboard()).stream()
                .flatMap(MonitoringFilesTest::metrics)
                .collect(Collectors.toSet());
        for (WaybillMeter meter : WaybillMeter.values()) {
            String name = MetricsPage.prometheusName(meter);
            assertThat(drawn)
                    .anyMatch(metric ->
                            metric.equals(name) || metric.equals(name + "_bucket") || metric.equals(name + "_sum"));
        }
    }

    @Test
    void panels_of_the_dashboard_are_distinct_and_have_titles() throws IOException {
        List<JsonNode> panels = dashboard().get("panels").valueStream().toList();
        assertThat(panels.stream().map(panel -> panel.get("id").asInt())).doesNotHaveDuplicates();
        assertThat(panels.stream().map(panel -> panel.get("title").asString()))
                .doesNotHaveDuplicates()
                .noneMatch(String::isBlank);
    }

    @Test
    void every_alert_has_a_test_and_a_line_on_the_page() throws IOException {
        String tests = Files.readString(RULE_TESTS);
        String page = Files.readString(DIRECTORY.resolve("README.md"));
        Matcher rule = RULE.matcher(Files.readString(RULES));
        while (rule.find()) {
            assertThat(tests).contains("ALERTS{alertname=\"" + rule.group(1) + "\"");
            assertThat(page).contains("| `" + rule.group(1) + "` |");
        }
    }

    @Test
    void promtool_accepts_the_rules_and_their_tests_pass() throws Exception {
        assumeTrue(isOnPath("promtool"), "promtool is not installed: Debian's package prometheus has it");
        promtool("check", "rules", RULES.getFileName().toString());
        promtool("test", "rules", RULE_TESTS.getFileName().toString());
    }

    private static JsonNode dashboard() throws IOException {
        return JsonMapper.builder().build().readTree(Files.readString(DIRECTORY.resolve("waybill-dashboard.json")));
    }

    private static List<String> expressions(JsonNode dashboard) {
        List<String> expressions = new ArrayList<>();
        dashboard.findValues("expr").forEach(node -> expressions.add(node.asString()));
        for (JsonNode query : dashboard.at("/templating/list")) {
            String values = query.path("query").path("query").asString("");
            metrics(values)
                    .filter(metric -> metric.startsWith("waybill"))
                    .forEach(metric ->
                            expressions.add("sum by (" + query.get("name").asString() + ", job) (" + metric + ")"));
        }
        return expressions;
    }

    private static Stream<String> metrics(String expression) {
        return METRIC.matcher(expression).results().map(match -> match.group(1));
    }

    private static void checkExpression(String expression) {
        Set<String> metrics = metrics(expression).collect(Collectors.toCollection(TreeSet::new));
        assertThat(metrics).as(expression).isNotEmpty();
        if (metrics.equals(Set.of("up"))) {
            return;
        }
        assertThat(exported.names()).as(expression).containsAll(metrics);
        Set<String> labels = new TreeSet<>();
        MATCHED.matcher(expression).results().forEach(match -> labels.add(match.group(1)));
        GROUPED.matcher(expression)
                .results()
                .forEach(match -> labels.addAll(
                        Arrays.asList(match.group(1).replace(" ", "").split(",", -1))));
        labels.removeAll(OF_SCRAPES);
        for (String metric : metrics) {
            assertThat(labelsOf(metric)).as(expression).containsAll(labels);
        }
    }

    private static Set<String> labelsOf(String metric) {
        return exported.samples().stream()
                .filter(sample -> sample.name().equals(metric))
                .flatMap(sample -> sample.labels().keySet().stream())
                .collect(Collectors.toSet());
    }

    private static boolean isOnPath(String program) {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":", -1))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
    }

    private static void promtool(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("promtool"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .directory(DIRECTORY.toFile())
                .redirectErrorStream(true)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(printed).isZero();
    }
}
