package dev.waybill.server.api;

import dev.waybill.server.http.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The files of the console, from the class path. A path without a file name is a page of the console, whose address holds its state:
 * all of them are the same file.
 */
final class ConsoleFiles {
    static final String ROOT = "/ui/";

    private static final String RESOURCES = "/dev/waybill/server/console/";
    private static final String PAGE = "index.html";
    /** Plain names only: no dots at the beginning, no encoded characters. */
    private static final Pattern FILE = Pattern.compile("([a-z0-9][a-z0-9-]*/){0,4}[a-z0-9][a-z0-9.-]*\\.([a-z0-9]+)");

    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "mjs", "text/javascript; charset=utf-8",
            "json", "application/json; charset=utf-8",
            "svg", "image/svg+xml",
            "png", "image/png",
            "ico", "image/x-icon",
            "woff2", "font/woff2",
            "txt", "text/plain; charset=utf-8");

    private ConsoleFiles() {}

    /** @param path begins with {@link #ROOT} */
    static Optional<Answer> find(String path) {
        String name = path.substring(ROOT.length());
        if (FILE.matcher(name).matches()) {
            Optional<Answer> file = file(name);
            if (file.isPresent() || name.startsWith("assets/")) {
                return file;
            }
        }
        // Names of stores, relays and topics in an address may look like files.
        return file(PAGE);
    }

    private static Optional<Answer> file(String name) {
        String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
        if (type == null || name.contains("..")) {
            return Optional.empty();
        }
        try (InputStream file = ConsoleFiles.class.getResourceAsStream(RESOURCES + name)) {
            return file == null
                    ? Optional.empty()
                    : Optional.of(Answer.ok(type, file.readAllBytes()).with(Answers.HEADERS));
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
