package dev.waybill.server.cli;

import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The page on commands, generated from picocli's model. */
final class CliPage {
    private static final String INTRODUCTION = """
            # Commands

            This page is generated from the commands; `CliPageTest` fails if it is out of date, and says how to generate it.

            `./waybill COMMAND --help` prints the same in a terminal. Commands that work on a store take `--config FILE`, the
            [configuration](configuration.md) of `waybill run` (or the environment variable `WAYBILL_CONFIG`), with all its
            stores or the one named by `--store`; or `--url` and no file. Passwords come from the file, from
            `WAYBILL_DB_PASSWORD` or from `--password-file`, never from the command line.

            Tables fit the terminal: long texts are cut first, and if the table is still too wide, each row becomes a block of lines.
            Without a terminal nothing is cut. Colours are for terminals only, and `NO_COLOR` switches them off. `--json` is for
            programs. Errors, questions and remarks go to the standard error.

            A command that is hard to undo first shows what it would do, and asks; `--yes` is for scripts. Every change is recorded
            in the audit with who (the system's user, or `--as`), when, what, and why (`--reason`); `waybill audit` shows it.
            Payloads are shown by `waybill show --payload` only, which is recorded in the audit too.

            There are also `./waybill demo`, `./waybill bench` and `./waybill example` ([examples](../examples/README.md)), which start their own servers.

            ## Exit codes

            | code | means |
            |---|---|
            """;

    private final StringBuilder text = new StringBuilder(INTRODUCTION);

    static String text() {
        CliPage page = new CliPage();
        for (ExitCode code : ExitCode.values()) {
            page.text
                    .append("| ")
                    .append(code.number())
                    .append(" | ")
                    .append(code.meaning())
                    .append(" |\n");
        }
        page.text.append("| 143, 130 | ended by SIGTERM or SIGINT; `run` has stopped its relays in order |\n");
        WaybillCommand.commandLine()
                .getSubcommands()
                .values()
                .forEach(command -> page.add(command.getCommandSpec(), 2));
        return page.text.toString();
    }

    private void add(CommandSpec command, int level) {
        text.append("\n")
                .append("#".repeat(level))
                .append(" ")
                .append(command.qualifiedName())
                .append("\n\n");
        Help help = new Help(command, Help.defaultColorScheme(Ansi.OFF));
        for (String paragraph : command.usageMessage().description()) {
            text.append(paragraph).append("\n\n");
        }
        if (command.subcommands().isEmpty()) {
            text.append("```\n").append(help.synopsis(0).stripTrailing()).append("\n```\n");
            arguments(command);
        }
        command.subcommands().values().forEach(each -> add(each.getCommandSpec(), level + 1));
    }

    private void arguments(CommandSpec command) {
        List<String> rows = new java.util.ArrayList<>();
        for (PositionalParamSpec parameter : command.positionalParameters()) {
            rows.add(row("`" + parameter.paramLabel() + "`", parameter));
        }
        for (OptionSpec option : command.options()) {
            if (!option.usageHelp() && !option.versionHelp()) {
                String names = List.of(option.names()).stream().collect(Collectors.joining(", "));
                String label = option.arity().max() == 0 ? "" : " " + option.paramLabel();
                rows.add(row("`" + names + label + "`", option));
            }
        }
        if (!rows.isEmpty()) {
            text.append("\n| | |\n|---|---|\n");
            rows.forEach(text::append);
        }
    }

    private static String row(String name, ArgSpec argument) {
        String description = String.join(" ", argument.description())
                .replace("${DEFAULT-VALUE}", String.valueOf(argument.defaultValue()))
                .replace("${COMPLETION-CANDIDATES}", candidates(argument));
        return "| " + name + " | " + description.replace("|", "\\|") + " |\n";
    }

    private static String candidates(ArgSpec argument) {
        Iterable<String> candidates = argument.completionCandidates();
        return candidates == null
                ? ""
                : java.util.stream.StreamSupport.stream(candidates.spliterator(), false)
                        .map(each -> "`" + each.toLowerCase(java.util.Locale.ROOT) + "`")
                        .collect(Collectors.joining(", "));
    }
}
