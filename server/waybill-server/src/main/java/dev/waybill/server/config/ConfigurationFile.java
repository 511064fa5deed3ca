package dev.waybill.server.config;

import dev.waybill.server.secrets.Secrets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/** A file, read and checked against the schema. */
record ConfigurationFile(String name, Findings findings, Optional<SchemaReader.Result> root) {
    private static final LoadSettings YAML = LoadSettings.builder()
            .setUseMarks(true)
            .setSchema(new CoreSchema())
            .setCodePointLimit(1_000_000)
            .build();

    private static final Pattern WORD_END = Pattern.compile("[\\s'\"(),]+");
    private static final int LONGEST_HARMLESS = 2;

    static ConfigurationFile read(Path file, Function<String, @Nullable String> environment, Secrets secrets) {
        Findings findings =
                new Findings(new References(environment, file.toAbsolutePath().resolveSibling("")), secrets);
        Place top = Place.top(findings);
        return new ConfigurationFile(
                file.toString(),
                findings,
                compose(file, top).flatMap(node -> SchemaReader.read(node, ConfigurationSchema.ROOT, top)));
    }

    private static Optional<Node> compose(Path file, Place top) {
        try {
            Iterator<Node> documents = new Compose(YAML)
                    .composeAllFromString(Files.readString(file))
                    .iterator();
            if (!documents.hasNext()) {
                top.mistake("the file is empty: it needs " + ConfigurationSchema.words(ConfigurationSchema.ROOT));
                return Optional.empty();
            }
            Node first = documents.next();
            if (documents.hasNext()) {
                top.mistake("the file has more than one document: remove the line --- between them");
            }
            return Optional.of(first);
        } catch (NoSuchFileException e) {
            throw new ConfigurationException(file);
        } catch (IOException e) {
            top.mistake("the file cannot be read (" + e.getClass().getSimpleName() + ")");
        } catch (MarkedYamlEngineException e) {
            int line = e.getProblemMark().map(Mark::getLine).orElse(0) + 1;
            top.findings()
                    .add(new Mistake(
                            line, "", "this is not YAML: " + withoutQuotes(String.valueOf(e.getProblem()), e)));
        } catch (YamlEngineException | StackOverflowError e) {
            top.mistake("this is not YAML that can be read: it is too long, or nested too deeply");
        }
        return Optional.empty();
    }

    /** The parser's message without what it quotes of the line, which may hold a secret. */
    private static String withoutQuotes(String problem, MarkedYamlEngineException e) {
        String line = e.getProblemMark().map(ConfigurationFile::lineAt).orElse("");
        String said = problem;
        for (String word : WORD_END.split(problem, -1)) {
            if (word.length() > LONGEST_HARMLESS && line.contains(word)) {
                said = said.replace(word, Secrets.HIDDEN);
            }
        }
        return said;
    }

    private static String lineAt(Mark mark) {
        int[] text = mark.getBuffer();
        int begin = mark.getPointer();
        int end = begin;
        while (begin > 0 && text[begin - 1] != '\n') {
            begin--;
        }
        while (end < text.length && text[end] != '\n') {
            end++;
        }
        return new String(text, begin, end - begin);
    }

    /** @throws ConfigurationException if there are mistakes */
    void requireSound() {
        if (!findings.isSound("")) {
            throw new ConfigurationException(name, findings.mistakes());
        }
    }
}
