package dev.waybill.bench.results;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** A folder with the results of one run: {@code results.json}, {@code results.txt} and charts. */
public final class ResultsFolder {
    private static final String JSON = "results.json";
    private static final JsonMapper MAPPER =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private ResultsFolder() {}

    public static void write(Results results, Path folder) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve(JSON), MAPPER.writeValueAsString(results) + "\n");
        Files.writeString(folder.resolve("results.txt"), ResultsText.of(results));
        for (Map.Entry<String, String> chart : Charts.of(results).entrySet()) {
            Files.writeString(folder.resolve(chart.getKey() + ".svg"), chart.getValue());
        }
    }

    /** The results in a folder; empty if it has none. */
    public static Optional<Results> readIfThere(Path folder) throws IOException {
        Path file = folder.resolve(JSON);
        return Files.exists(file) ? Optional.of(read(file)) : Optional.empty();
    }

    public static Results read(Path file) throws IOException {
        return MAPPER.readValue(Files.readString(file), Results.class);
    }
}
