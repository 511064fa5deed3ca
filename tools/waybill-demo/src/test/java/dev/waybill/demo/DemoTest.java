package dev.waybill.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class DemoTest {
    @Test
    void every_appended_event_is_delivered_once_and_in_order_and_the_last_line_says_so() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream before = System.out;
        int exitCode;
        try (PrintStream captured = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
            System.setOut(captured);
            exitCode = new CommandLine(new Demo()).execute("--events", "2000", "--exit");
        } finally {
            System.setOut(before);
        }

        List<String> lines = bytes.toString(StandardCharsets.UTF_8).lines().toList();
        assertThat(lines).anyMatch(line -> line.matches("console: http://127\\.0\\.0\\.1:\\d+/ui/"));
        assertThat(lines.get(lines.size() - 1))
                .matches("demo: appended=2000 delivered=2000 lost=0 duplicates=0 inversions=0 seconds=\\d+\\.\\d");
        assertThat(exitCode).isZero();
    }

    @Test
    void options_that_do_not_go_together_are_refused() {
        assertThat(new CommandLine(new Demo()).execute("--exit")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(new CommandLine(new Demo()).execute("--no-load", "--events", "5"))
                .isEqualTo(CommandLine.ExitCode.USAGE);
    }

    @Test
    void a_verdict_with_a_loss_an_inversion_or_a_ghost_is_not_good() {
        assertThat(new Verdict(10, 10, 0, 0, 3, 0).isGood()).isTrue();
        assertThat(new Verdict(10, 9, 1, 0, 0, 0).isGood()).isFalse();
        assertThat(new Verdict(10, 10, 0, 1, 0, 0).isGood()).isFalse();
        assertThat(new Verdict(10, 10, 0, 0, 0, 1).isGood()).isFalse();
    }
}
