package dev.waybill.testkit.guide;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page that is followed from top to bottom. A block whose first line is a comment with a file name is a file. A block of {@code
 * sh} is run, and a block of {@code text} after it is what it prints. Other blocks are not allowed: nobody would check them.
 */
public final class Guide {
    private static final Pattern FENCE = Pattern.compile("(?m)^```(.*)\\n((?s:.*?))^```$");
    private static final Pattern FILE_NAME = Pattern.compile("^(?://|#|--|<!--) ([\\w./-]+\\.\\w+)(?: -->)?\\n");

    private final String name;
    private final List<Step> steps;

    sealed interface Step {}

    record WriteFile(String path, String text) implements Step {}

    /** @param line of the page, for messages */
    record Run(int line, String commands, Optional<ExpectedOutput> expected) implements Step {}

    private Guide(String name, List<Step> steps) {
        this.name = name;
        this.steps = List.copyOf(steps);
    }

    public static Guide read(Path page) throws IOException {
        return of(page.getFileName().toString(), Files.readString(page));
    }

    /** @param name of the text, for messages */
    public static Guide of(String name, String markdown) {
        List<Step> steps = new ArrayList<>();
        for (MatchResult fence : FENCE.matcher(markdown).results().toList()) {
            int line = (int) markdown.substring(0, fence.start()).lines().count() + 1;
            add(steps, fence, name + ", line " + line, line);
        }
        if (steps.isEmpty()) {
            throw new IllegalArgumentException(name + " has nothing to follow.");
        }
        return new Guide(name, steps);
    }

    private static void add(List<Step> steps, MatchResult fence, String place, int line) {
        String language = fence.group(1);
        String text = fence.group(2);
        Matcher fileName = FILE_NAME.matcher(text);
        if (language.equals("sh")) {
            steps.add(new Run(line, text, Optional.empty()));
        } else if (language.equals("text")) {
            int last = steps.size() - 1;
            if (last < 0
                    || !(steps.get(last) instanceof Run run)
                    || run.expected().isPresent()) {
                throw new IllegalArgumentException(place + ": output without commands before it.");
            }
            steps.set(last, new Run(run.line(), run.commands(), Optional.of(ExpectedOutput.of(text))));
        } else if (fileName.find()) {
            steps.add(new WriteFile(fileName.group(1), text));
        } else {
            throw new IllegalArgumentException(
                    place + ": neither sh, nor text, nor a file: its first line is no comment with a file name.");
        }
    }

    public String name() {
        return name;
    }

    /** The text of a file that the guide shows. */
    public String file(String path) {
        return steps.stream()
                .filter(step -> step instanceof WriteFile file && file.path().equals(path))
                .map(step -> ((WriteFile) step).text())
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(name + " has no file " + path + "."));
    }

    /**
     * Writes its files and runs its commands in one terminal. Every process that was started has ended afterwards.
     *
     * @param folder empty
     * @param environment all of it
     */
    public void follow(Path folder, Map<String, String> environment) throws IOException {
        try (Terminal terminal = Terminal.open(folder, environment)) {
            for (Step step : steps) {
                if (step instanceof WriteFile file) {
                    Path path = folder.resolve(file.path());
                    Files.createDirectories(
                            Optional.ofNullable(path.getParent()).orElse(folder));
                    Files.writeString(path, file.text());
                } else if (step instanceof Run run) {
                    new RunBlock(name + ", line " + run.line(), run, terminal).runAndCompare();
                }
            }
        }
    }
}
