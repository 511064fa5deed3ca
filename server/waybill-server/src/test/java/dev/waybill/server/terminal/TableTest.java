package dev.waybill.server.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.admin.Finding;
import dev.waybill.server.cli.DoctorReport;
import dev.waybill.server.secrets.Secrets;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What people see, in terminals of any width. */
class TableTest {
    private static final String LONG_ERROR =
            "topic orders.v1 does not exist at kafka-1:9092: create it, or let the broker make topics when they are used";

    private static Table table() {
        return new Table()
                .column("RELAY")
                .column("STATE")
                .numberColumn("DEAD")
                .textColumn("ERROR")
                .row(
                        Cell.of("orders-to-kafka"),
                        new Cell("running", Tone.GOOD),
                        Cell.badNumber(1_234, Tone.BAD),
                        Cell.of(LONG_ERROR))
                .row(Cell.of("b"), Cell.of("paused"), Cell.number(7), Cell.of("short"));
    }

    @Test
    void without_a_terminal_nothing_is_cut_and_nothing_is_coloured() {
        List<String> lines = table().on(Terminal.NONE).lines().toList();

        assertThat(lines.get(0)).isEqualTo("RELAY            STATE     DEAD  ERROR");
        assertThat(lines.get(1)).isEqualTo("orders-to-kafka  running  1,234  " + LONG_ERROR);
        assertThat(lines.get(2)).isEqualTo("b                paused       7  short");
    }

    @ParameterizedTest
    @ValueSource(ints = {20, 30, 42, 60, 80, 120, 200})
    void every_line_fits_the_terminal(int width) {
        String text = table().on(new Terminal(width, false, true));

        assertThat(text.lines()).allMatch(line -> line.codePointCount(0, line.length()) <= width);
        assertThat(text).contains("1,234", "running", "paused");
    }

    @Test
    void on_a_narrow_terminal_only_long_texts_are_cut_with_an_ellipsis() {
        List<String> lines = table().on(new Terminal(60, false, true)).lines().toList();

        assertThat(lines).hasSize(3);
        assertThat(lines.get(1))
                .startsWith("orders-to-kafka  running  1,234  topic")
                .endsWith("…");
    }

    @Test
    void dispensable_columns_are_dropped_before_rows_become_blocks() {
        Table table = new Table()
                .column("RELAY")
                .textColumn("RUN BY")
                .spared()
                .numberColumn("EPOCH")
                .spared()
                .numberColumn("DEAD")
                .row(Cell.of("orders"), Cell.of("host-17 pid 4711"), Cell.number(12), Cell.number(3));

        assertThat(table.on(new Terminal(40, false, true)).lines().toList().get(1))
                .isEqualTo("orders  host-17 pid 4711     12     3");
        assertThat(table.on(new Terminal(24, false, true)).lines().toList().get(1))
                .isEqualTo("orders  host-17…     3");
        assertThat(table.on(new Terminal(20, false, true)).lines().toList().get(1))
                .isEqualTo("orders     3");
    }

    @Test
    void if_even_that_does_not_fit_each_row_is_a_block() {
        List<String> lines = table().on(new Terminal(30, false, true)).lines().toList();

        assertThat(lines.get(0)).isEqualTo("RELAY  orders-to-kafka");
        assertThat(lines.get(2)).isEqualTo("DEAD   1,234");
        assertThat(lines.get(4)).isEmpty();
        assertThat(lines.get(5)).isEqualTo("RELAY  b");
    }

    @Test
    void colours_change_nothing_but_the_colour() {
        String plain = table().on(new Terminal(100, false, true));
        String coloured = table().on(new Terminal(100, true, true));

        assertThat(coloured).contains("\u001b[32mrunning\u001b[0m");
        assertThat(coloured.replaceAll("\u001b\\[\\d+m", "")).isEqualTo(plain);
    }

    @Test
    void foreign_text_cannot_control_the_terminal() {
        String hostile = "\u001b[2J\u001b]0;owned\u0007 line\nnext\u202Eback\u0085";

        assertThat(Cell.of(hostile).text())
                .doesNotContain("\u001b", "\u0007", "\n", "\u202E", "\u0085")
                .contains("line next");
    }

    @Test
    void line_separators_and_unpaired_surrogates_are_replaced() {
        assertThat(Cell.of("a\u2028b\u2029c\ud800d").text()).isEqualTo("a\ufffdb\ufffdc\ufffdd");
    }

    /** Each row is padded to the longest. */
    @Test
    void a_very_long_text_does_not_exhaust_the_memory() {
        Table table = new Table().textColumn("CONSUMER").textColumn("ERROR");
        for (int row = 0; row < 1_000; row++) {
            table.row(Cell.of(row == 500 ? "x".repeat(900_000) : "shop"), Cell.of("no"));
        }
        assertThat(table.on(Terminal.NONE)).hasSizeLessThan(5_000_000);
    }

    @Test
    void a_line_contains_no_control_sequence_but_our_colours() {
        String hostile = "\u001b[8m\u009b31m\u202e\rx\u2028\ud800";
        String line = Tone.BAD.paint("bad") + " " + hostile + "\nnext";

        assertThat(new Terminal(80, true, true).harmless(line))
                .isEqualTo(Tone.BAD.paint("bad") + " \ufffd[8m\ufffd31m\ufffd x\ufffd\ufffd" + System.lineSeparator()
                        + "next");
        assertThat(Terminal.NONE.harmless(Tone.BAD.paint("bad"))).doesNotContain("\u001b");
    }

    @Test
    void colours_are_used_only_on_terminals_that_support_them_and_unless_disabled() {
        assertThat(Terminal.detect(true, 100, Map.of("TERM", "xterm"))).isEqualTo(new Terminal(100, true, true));
        assertThat(Terminal.detect(true, 100, Map.of("TERM", "xterm", "NO_COLOR", "1"))
                        .colours())
                .isFalse();
        assertThat(Terminal.detect(true, 100, Map.of("TERM", "dumb")).colours()).isFalse();
        assertThat(Terminal.detect(false, 100, Map.of("TERM", "xterm"))).isEqualTo(Terminal.NONE);
        assertThat(Terminal.detect(true, 0, Map.of("COLUMNS", "132")).width()).isEqualTo(132);
        assertThat(Terminal.detect(true, 0, Map.of("COLUMNS", "wide")).width()).isEqualTo(80);
    }

    @Test
    void ages_are_shown_in_two_units() {
        assertThat(Cell.age(Duration.ofMillis(1_250))).isEqualTo("1.3 s");
        assertThat(Cell.age(Duration.ofSeconds(75))).isEqualTo("1 min 15 s");
        assertThat(Cell.age(Duration.ofMinutes(125))).isEqualTo("2 h 5 min");
        assertThat(Cell.age(Duration.ofHours(100))).isEqualTo("4 d 4 h");
    }

    @ParameterizedTest
    @ValueSource(ints = {40, 45, 50, 55, 60, 65, 70})
    void secrets_in_a_report_are_hidden_before_lines_are_wrapped(int width) {
        Secrets secrets = new Secrets();
        secrets.add("correct horse battery staple");
        DoctorReport report = new DoctorReport(secrets);
        String said = "the login of somebody with correct horse battery staple was refused";
        report.add("store orders", List.of(new Finding(Finding.Severity.PROBLEM, "login", said, said)));

        assertThat(String.join(" ", report.lines(new Terminal(width, false, true))))
                .contains("[hidden]")
                .doesNotContain("horse", "battery");
    }

    @Test
    void a_remedy_is_marked_with_characters_that_the_output_has() {
        DoctorReport report = new DoctorReport(new Secrets());
        report.add("store orders", List.of(Finding.problem("login", "refused", "Correct the password.")));

        assertThat(report.lines(Terminal.NONE)).anyMatch(line -> line.endsWith("→ Correct the password."));
        assertThat(report.lines(new Terminal(80, false, true, StandardCharsets.US_ASCII)))
                .anyMatch(line -> line.endsWith("-> Correct the password."))
                .allMatch(line -> StandardCharsets.US_ASCII.newEncoder().canEncode(line));
    }

    @Test
    void sentences_are_wrapped_between_words() {
        assertThat(Wrapping.wrap("one two three", 8)).containsExactly("one two", "three");
        assertThat(Wrapping.wrap("unbreakable", 3)).containsExactly("unbreakable");
    }

    @Test
    void very_long_text_is_cut_after_secrets_are_hidden() {
        Secrets secrets = new Secrets();
        secrets.add("canary-1234");
        Table table = new Table().textColumn("ERROR").row(Cell.of("x".repeat(3_993) + " canary-1234 and more"));

        assertThat(table.without(secrets).on(Terminal.NONE))
                .doesNotContain("canary")
                .endsWith("…");
    }
}
