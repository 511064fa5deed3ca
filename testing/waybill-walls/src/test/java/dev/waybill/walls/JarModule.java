package dev.waybill.walls;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A module of this build that makes a jar. */
record JarModule(Path directory) {
    static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();

    static List<JarModule> all() {
        try (Stream<Path> directories = Files.walk(ROOT, 2)) {
            return directories
                    .filter(directory -> directory.getFileName().toString().startsWith("waybill-")
                            && Files.exists(directory.resolve("pom.xml")))
                    .map(JarModule::new)
                    .filter(module -> !module.pom().contains("<packaging>pom<"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Those that others get; the rest is for this project's own tests and tools. */
    static List<JarModule> published() {
        return all().stream()
                .filter(module -> module.property("waybill.unpublished").isEmpty())
                .toList();
    }

    String name() {
        return directory.getFileName().toString();
    }

    String pom() {
        try {
            return Files.readString(directory.resolve("pom.xml"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Optional<String> property(String name) {
        Matcher value = Pattern.compile("<" + name + ">(.*)</" + name + ">").matcher(pom());
        return value.find() ? Optional.of(value.group(1)) : Optional.empty();
    }

    /** The packages that its jar has classes in. */
    Set<String> packages() {
        Path sources = directory.resolve("src/main/java");
        try (Stream<Path> files = Files.walk(sources)) {
            Set<String> packages = new TreeSet<>();
            files.filter(file -> file.toString().endsWith(".java"))
                    .forEach(file -> packages.add(
                            sources.relativize(file.getParent()).toString().replace('/', '.')));
            return packages;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
