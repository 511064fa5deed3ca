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

            <!-- Generated from the commands by CliPageTest with -Dwaybill.docs.write=true. -->

            Reference of the command line. `./waybill COMMAND --help` prints the same text. `./waybill demo`, `./waybill bench` and
            `./waybill example` ([examples](../examples/README.md)) start their own servers and are not listed here.

            - **Stores.** Use `--config FILE`, the [configuration](configuration.md) of `waybill run` (or the environment variable
              `WAYBILL_CONFIG`), for all its stores or the one named by `--store`. Or use `--url` without a file.
            - **Passwords** come from the file, from `WAYBILL_DB_PASSWORD` or from `--password-file`, never from the command line.
            - **Output.** Tables fit the terminal: long texts are cut first, and if the table is still too wide, each row becomes a
              block of lines. Without a terminal nothing is cut. `NO_COLOR` switches colours off. Errors, questions and notes go to
              standard error.
            - **Changes.** A command that is hard to undo shows what it will do and asks for confirmation; use `--yes` in scripts.
              Every change is audited with who (the system's user, or `--as`), when, what, and why (`--reason`).

            ## Exit codes

            | code | meaning |
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
