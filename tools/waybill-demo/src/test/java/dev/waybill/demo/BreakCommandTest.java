package dev.waybill.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.admin.RelayStatus;
import dev.waybill.testkit.Await;
import dev.waybill.testkit.ChildJvm;
import java.io.BufferedReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Pastes the commands that a demo prints. */
class BreakCommandTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final String LAST_LINE = "Insert into waybill.event";
    private static final Pattern CONSOLE = Pattern.compile("console: (http://127\\.0\\.0\\.1:\\d+/ui/)");
    private static final Pattern COMMAND = Pattern.compile("  \\./waybill demo (break \\w+ +--of \\d+)   # .+");

    @Test
    void a_demo_without_load_prints_its_console_and_commands_that_break_it_and_ends_cleanly_while_broken()
            throws Exception {
        Process demo = new ProcessBuilder(ChildJvm.heap(512).command(Demo.class, List.of("--no-load")))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader output = demo.inputReader(StandardCharsets.UTF_8)) {
            List<String> lines = until(output, LAST_LINE);
            String console = only(lines, CONSOLE).get(0);
            List<String> commands = only(lines, COMMAND);
            assertThat(commands).hasSize(Breakage.values().length);
            assertThat(answer(console).statusCode()).isEqualTo(200);

            breakIt(command(commands, Breakage.POISON));
            Await.until("the poison event is dead", () -> overview(console).contains("\"dead\":\"1\""));

            breakIt(command(commands, Breakage.LOCK) + " --for 2");
            breakIt(command(commands, Breakage.KAFKA));
            assertThat(run(command(commands, Breakage.KAFKA))).isEqualTo(CommandLine.ExitCode.SOFTWARE);

            // Unlike Process.destroy, this leaves the output open.
            demo.toHandle().destroy();
            assertThat(until(output, "demo: relayed=")).isNotEmpty();
            assertThat(demo.waitFor()).isEqualTo(143);
            assertThat(DemoFolder.of(demo.pid())).doesNotExist();
        } finally {
            demo.destroyForcibly();
        }
    }

    @Tag("full")
    @Test
    void the_relay_backs_off_without_kafka_and_fails_at_a_lock_and_both_end() throws Exception {
        try (Shop shop = Shop.open();
                OrderService service = new OrderService(shop, Demo.ENDLESS, 50)) {
            String of = " --of " + ProcessHandle.current().pid();
            service.start();
            Await.until("the relay publishes", () -> shop.statistics().published() > 0);

            breakIt("break kafka --for 12" + of);
            Await.until("it backs off", () -> overview(shop.console()).contains("\"phase\":\"backing off\""));
            Await.until("everything is published", () -> caughtUp(shop));

            breakIt("break lock --for 15" + of);
            Await.until(
                    "it waits for the lock in vain",
                    () -> overview(shop.console()).contains("lock timeout"));
            Await.until("everything is published", () -> caughtUp(shop));
            assertThat(service.problem()).isNull();
        }
    }

    private static boolean caughtUp(Shop shop) {
        return shop.admin().relays().stream()
                .allMatch(relay -> relay.lease().isPresent() && relay.backlog() < 50 && publishesNow(relay));
    }

    private static boolean publishesNow(RelayStatus relay) {
        return relay.oldest().map(age -> age.toSeconds() < 1).orElse(true);
    }

    @Test
    void a_demo_that_does_not_run_and_a_time_out_of_range_are_refused() {
        assertThat(run("break kafka --of 1")).isEqualTo(CommandLine.ExitCode.SOFTWARE);
        assertThat(run("break kafka --of 1 --for 0")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(run("break database --of 1")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(Files.exists(DemoFolder.of(1))).isFalse();
    }

    private static void breakIt(String command) {
        assertThat(run(command)).as(command).isZero();
    }

    private static int run(String command) {
        return new CommandLine(new Demo()).execute(command.split(" +"));
    }

    private static String command(List<String> commands, Breakage what) {
        return commands.stream()
                .filter(each -> each.contains(what.word()))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> until(BufferedReader output, String start) throws Exception {
        List<String> lines = new ArrayList<>();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            lines.add(line);
            if (line.startsWith(start)) {
                return lines;
            }
        }
        throw new AssertionError("The demo ended without a line that starts with " + start + ": " + lines);
    }

    /** What the pattern finds in its lines. */
    private static List<String> only(List<String> lines, Pattern pattern) {
        return lines.stream()
                .map(pattern::matcher)
                .filter(Matcher::matches)
                .map(matcher -> matcher.group(1))
                .toList();
    }

    private static String overview(String console) throws Exception {
        return answer(console.replace("/ui/", "/api/overview")).body();
    }

    private static HttpResponse<String> answer(String address) throws Exception {
        return HTTP.send(HttpRequest.newBuilder(URI.create(address)).build(), HttpResponse.BodyHandlers.ofString());
    }
}
