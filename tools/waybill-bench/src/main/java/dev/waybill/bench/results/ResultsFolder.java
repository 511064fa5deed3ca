package dev.waybill.bench.results;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** A folder with the results of one run: {@code results.json}, {@code results.txt} and charts. */
public final class ResultsFolder {
    private static final String JSON = "results.json";
    private static final String CHART = ".svg";
    private static final JsonMapper MAPPER =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private ResultsFolder() {}

    /** With the charts of these results, and without earlier ones of which they have no values. */
    public static void write(Results results, Path folder) throws IOException {
        Map<String, String> files = new LinkedHashMap<>();
        files.put(JSON, MAPPER.writeValueAsString(results) + "\n");
        files.put("results.txt", ResultsText.of(results));
        Charts.of(results).forEach((name, chart) -> files.put(name + CHART, chart));
        Files.createDirectories(folder);
        for (Map.Entry<String, String> file : files.entrySet()) {
            replace(folder.resolve(file.getKey()), file.getValue());
        }
        for (String name : Charts.NAMES) {
            if (!files.containsKey(name + CHART)) {
                Files.deleteIfExists(folder.resolve(name + CHART));
            }
        }
    }

    /** With a full disk, what was there stays. */
    public static void replace(Path file, String text) throws IOException {
        Path written = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.writeString(written, text);
            Files.move(written, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new IOException(file + " could not be written: " + e, e);
        } finally {
            Files.deleteIfExists(written);
        }
    }

    /** The results in a folder; empty if it has none. */
    public static Optional<Results> readIfThere(Path folder) throws IOException {
        Path file = folder.resolve(JSON);
        return Files.exists(file) ? Optional.of(read(file)) : Optional.empty();
    }

    /** Fails with an {@code IOException} if the file has no results. */
    public static Results read(Path file) throws IOException {
        try {
            return Objects.requireNonNull(MAPPER.readValue(Files.readString(file), Results.class), "it is empty");
        } catch (JacksonException | NullPointerException e) {
            throw new IOException(
                    file + " has no results of this version of the bench: "
                            + Objects.requireNonNullElse(e.getMessage(), "")
                                    .lines()
                                    .findFirst()
                                    .orElse(""),
                    e);
        }
    }
}
