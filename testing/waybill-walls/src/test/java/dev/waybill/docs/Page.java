package dev.waybill.docs;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A page of documentation.
 *
 * @param name its path from the root, for messages
 */
record Page(String name, Path file, String text) {
    private static final Pattern FENCE = Pattern.compile("(?m)^```(\\w*)\\n(.*?)^```$", Pattern.DOTALL);
    private static final Pattern LINK =
            Pattern.compile("\\[[^\\]]*\\]\\(([^)\\s]+)\\)|<(?:img|source)[^>]* src(?:set)?=\"([^\"\\s]+)\"");
    private static final Pattern CODE = Pattern.compile("`([^`\\n]+)`");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.+)$");

    static Page read(Path root, Path file) {
        return new Page(root.relativize(file).toString(), file, Repository.read(file));
    }

    /** Whether a test follows it, with all of its blocks: {@code GuidesTest}, or {@code SpringGuideTest} the README. */
    boolean isFollowed() {
        return name.startsWith("docs/guides/") || name.equals("README.md");
    }

    /** The fenced blocks of a language, without their fences. */
    List<String> blocks(String language) {
        return FENCE.matcher(text)
                .results()
                .filter(fence -> fence.group(1).equals(language))
                .map(fence -> fence.group(2))
                .toList();
    }

    /** Targets of the page's links and pictures. */
    List<String> links() {
        return LINK.matcher(prose())
                .results()
                .map(link -> link.group(1) != null ? link.group(1) : link.group(2))
                .toList();
    }

    /** Texts between backticks. */
    List<String> codes() {
        return codes(prose());
    }

    static List<String> codes(String markdown) {
        return CODE.matcher(markdown).results().map(code -> code.group(1)).toList();
    }

    /** Anchors of the headings. */
    List<String> anchors() {
        return HEADING.matcher(prose())
                .results()
                .map(heading -> anchor(heading.group(1)))
                .toList();
    }

    /** The text under the heading, up to the next heading of any level; empty if there is no such heading. */
    String section(String heading) {
        String prose = prose();
        List<MatchResult> headings = HEADING.matcher(prose).results().toList();
        for (int i = 0; i < headings.size(); i++) {
            if (headings.get(i).group(1).equals(heading)) {
                int end = i + 1 < headings.size() ? headings.get(i + 1).start() : prose.length();
                return prose.substring(headings.get(i).end(), end);
            }
        }
        return "";
    }

    /** The rows of the tables in a part of a page, without header rows. */
    static List<List<String>> rows(String markdown) {
        List<List<String>> rows = new ArrayList<>();
        boolean inBody = false;
        for (String line : markdown.lines().toList()) {
            boolean isRow = line.startsWith("|");
            if (isRow && inBody) {
                rows.add(cells(line));
            }
            inBody = isRow && (inBody || line.matches("\\|[-| ]+"));
        }
        return rows;
    }

    private static List<String> cells(String row) {
        return Arrays.stream(row.substring(1).split("\\|", -1))
                .map(String::strip)
                .collect(
                        Collectors.collectingAndThen(Collectors.toList(), cells -> cells.subList(0, cells.size() - 1)));
    }

    private String prose() {
        return FENCE.matcher(text).replaceAll("");
    }

    private static String anchor(String heading) {
        return heading.toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                .strip()
                .replace(' ', '-');
    }
}
