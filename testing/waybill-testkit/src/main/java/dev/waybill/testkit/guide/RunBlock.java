package dev.waybill.testkit.guide;

import dev.waybill.testkit.Await;
import dev.waybill.testkit.guide.Terminal.Answer;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Runs one block of commands and compares what it prints. Every command must succeed, unless a comment {@code # exit code N} says
 * otherwise. A block with the comment {@code # repeat} is run again until it prints what is expected.
 */
final class RunBlock {
    private static final Pattern EXIT_CODE = Pattern.compile("# exit code (\\d+)");
    private static final String REPEAT = "# repeat";
    private static final Duration BETWEEN_REPEATS = Duration.ofMillis(500);
    private static final Duration LONGEST = Duration.ofMinutes(3);

    private final String place;
    private final Guide.Run run;
    private final Terminal terminal;

    RunBlock(String place, Guide.Run run, Terminal terminal) {
        this.place = place;
        this.run = run;
        this.terminal = terminal;
    }

    void runAndCompare() {
        Answer[] last = {terminal.run(run.commands())};
        if (run.commands().contains(REPEAT)) {
            Await.until(() -> problem(last[0]), LONGEST, () -> {
                if (problem(last[0]).isEmpty()) {
                    return true;
                }
                Await.watch(BETWEEN_REPEATS);
                last[0] = terminal.run(run.commands());
                return false;
            });
        }
        String problem = problem(last[0]);
        if (!problem.isEmpty()) {
            throw new AssertionError(problem);
        }
    }

    /** @return empty if there is none */
    private String problem(Answer answer) {
        List<Integer> expectedCodes = EXIT_CODE
                .matcher(run.commands())
                .results()
                .map(code -> Integer.valueOf(code.group(1)))
                .toList();
        if (!answer.exitCodes().equals(expectedCodes)) {
            return place + ": commands failed with the codes " + answer.exitCodes() + " instead of " + expectedCodes
                    + after(answer);
        }
        return run.expected()
                .flatMap(expected -> expected.missingIn(answer.output()))
                .map(line -> place + ": the output lacks the line \"" + line + "\"" + after(answer))
                .orElse("");
    }

    private String after(Answer answer) {
        return ", after the commands\n" + run.commands() + "which printed\n" + answer.output();
    }
}
