package dev.waybill.docs;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/** Checks the links of a page that lead to files of the project. */
final class Links {
    private Links() {}

    static boolean staysHere(String link) {
        return !link.contains("://") && !link.startsWith("mailto:");
    }

    /**
     * @param link a path relative to the page, with or without {@code #symbol}, or {@code #heading} alone
     * @return the problem, if any
     */
    static Optional<String> problem(Page page, String link) {
        String[] parts = link.split("#", 2);
        Path target = parts[0].isEmpty()
                ? page.file()
                : page.file().resolveSibling(parts[0]).normalize();
        if (!Files.exists(target)) {
            return Optional.of(page.name() + ": " + link + " leads to a file that is not there");
        }
        if (parts.length == 1 || has(target, parts[1])) {
            return Optional.empty();
        }
        return Optional.of(page.name() + ": " + link + ": there is no " + parts[1] + " in that file");
    }

    private static boolean has(Path file, String symbol) {
        String name = file.toString();
        if (Files.isDirectory(file)) {
            return false;
        }
        String text = Repository.read(file);
        if (name.endsWith(".md")) {
            return new Page(name, file, text).anchors().contains(symbol);
        }
        if (name.endsWith(".java")) {
            return JavaSource.of(text).declares(symbol);
        }
        return Pattern.compile("\\b" + Pattern.quote(symbol) + "\\b")
                .matcher(text)
                .find();
    }
}
