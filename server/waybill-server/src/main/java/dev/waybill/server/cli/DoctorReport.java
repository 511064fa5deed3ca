package dev.waybill.server.cli;

import dev.waybill.admin.Finding;
import dev.waybill.admin.Finding.Severity;
import dev.waybill.server.secrets.Secrets;
import dev.waybill.server.terminal.Cell;
import dev.waybill.server.terminal.Terminal;
import dev.waybill.server.terminal.Tone;
import dev.waybill.server.terminal.Wrapping;
import dev.waybill.spi.Counted;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The findings of an examination, by what was examined. */
public final class DoctorReport {
    private static final int WORD = 9;
    private static final int SHORTEST_LINE = 20;

    private final Secrets secrets;
    private final Map<String, List<Finding>> findings = new LinkedHashMap<>();

    public DoctorReport(Secrets secrets) {
        this.secrets = secrets;
    }

    public void add(String about, List<Finding> found) {
        findings.computeIfAbsent(about, name -> new ArrayList<>())
                .addAll(found.stream().map(this::withoutSecrets).toList());
    }

    /** Hides secrets before the text is wrapped. */
    private Finding withoutSecrets(Finding finding) {
        return new Finding(
                finding.severity(), finding.subject(), secrets.hide(finding.what()), secrets.hide(finding.remedy()));
    }

    ExitCode code() {
        return switch (worst()) {
            case FINE -> ExitCode.OK;
            case WARNING -> ExitCode.WARNINGS;
            case PROBLEM -> ExitCode.PROBLEMS;
        };
    }

    private Severity worst() {
        return findings.values().stream()
                .flatMap(List::stream)
                .map(Finding::severity)
                .max(Severity::compareTo)
                .orElse(Severity.FINE);
    }

    private long count(Severity severity) {
        return findings.values().stream()
                .flatMap(List::stream)
                .filter(finding -> finding.severity() == severity)
                .count();
    }

    public List<String> lines(Terminal terminal) {
        int subject = findings.values().stream()
                .flatMap(List::stream)
                .mapToInt(finding -> finding.subject().length())
                .max()
                .orElse(0);
        List<String> lines = new ArrayList<>();
        findings.forEach((about, found) -> {
            lines.add(terminal.paint(about, Tone.STRONG));
            found.forEach(finding -> describe(finding, subject, terminal, lines));
        });
        lines.add("");
        lines.add(
                Counted.of(count(Severity.PROBLEM), "problem") + ", " + Counted.of(count(Severity.WARNING), "warning"));
        return lines;
    }

    private static void describe(Finding finding, int subject, Terminal terminal, List<String> lines) {
        String begin = String.format(
                Locale.ROOT, "  %-" + WORD + "s%-" + (subject + 2) + "s", word(finding), finding.subject());
        int room = Math.max(SHORTEST_LINE, terminal.width() - begin.length());
        String indent = " ".repeat(begin.length());
        List<String> what = Wrapping.wrap(Cell.harmless(finding.what()), room);
        lines.add(terminal.paint(begin, tone(finding)) + what.get(0));
        what.stream().skip(1).forEach(line -> lines.add(indent + line));
        if (!finding.remedy().isEmpty()) {
            String arrow = terminal.arrow() + " ";
            List<String> remedy = Wrapping.wrap(Cell.harmless(finding.remedy()), room - arrow.length());
            for (int i = 0; i < remedy.size(); i++) {
                lines.add(indent + (i == 0 ? arrow : " ".repeat(arrow.length())) + remedy.get(i));
            }
        }
    }

    private static String word(Finding finding) {
        return switch (finding.severity()) {
            case FINE -> "ok";
            case WARNING -> "warning";
            case PROBLEM -> "PROBLEM";
        };
    }

    private static Tone tone(Finding finding) {
        return switch (finding.severity()) {
            case FINE -> Tone.GOOD;
            case WARNING -> Tone.WARN;
            case PROBLEM -> Tone.BAD;
        };
    }

    List<Map<String, Object>> json() {
        List<Map<String, Object>> all = new ArrayList<>();
        findings.forEach((about, found) -> found.forEach(finding -> {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("about", about);
            one.put("severity", finding.severity().name().toLowerCase(Locale.ROOT));
            one.put("subject", finding.subject());
            one.put("what", finding.what());
            if (!finding.remedy().isEmpty()) {
                one.put("remedy", finding.remedy());
            }
            all.add(one);
        }));
        return all;
    }
}
