package dev.waybill.server.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/** A file, read and checked against {@link RootBlock}. */
record ConfigurationFile(String name, Findings findings, Optional<Kind.Given<Section>> root) {
    private static final LoadSettings YAML = LoadSettings.builder()
            .setUseMarks(true)
            .setCodePointLimit(1_000_000)
            .build();

    static ConfigurationFile read(Path file, Function<String, @Nullable String> environment) {
        Findings findings =
                new Findings(new References(environment, file.toAbsolutePath().resolveSibling("")));
        Place top = new Place("", 1, findings);
        return new ConfigurationFile(
                file.toString(), findings, compose(file, top).flatMap(node -> RootBlock.BLOCK.read(node, top)));
    }

    private static Optional<Node> compose(Path file, Place top) {
        try {
            Iterator<Node> documents = new Compose(YAML)
                    .composeAllFromString(Files.readString(file))
                    .iterator();
            if (!documents.hasNext()) {
                top.mistake("the file is empty: it needs " + RootBlock.BLOCK.words());
                return Optional.empty();
            }
            Node first = documents.next();
            if (documents.hasNext()) {
                top.mistake("the file has more than one document: remove the line --- between them");
            }
            return Optional.of(first);
        } catch (IOException e) {
            top.mistake("the file cannot be read (" + e.getClass().getSimpleName() + ")");
        } catch (MarkedYamlEngineException e) {
            int line = e.getProblemMark().map(Mark::getLine).orElse(0) + 1;
            // Only what it says, not what it quotes: a line of this file may hold a secret.
            top.findings().add(new Mistake(line, "", "this is not YAML: " + e.getProblem()));
        } catch (YamlEngineException e) {
            top.mistake("this is not YAML that can be read: it is too long, or nested too deeply");
        }
        return Optional.empty();
    }

    /** What the file says, as a whole and without mistakes. */
    Section sound() {
        if (findings.count() > 0) {
            throw new ConfigurationException(name, findings.mistakes());
        }
        return root.orElseThrow().value();
    }
}
