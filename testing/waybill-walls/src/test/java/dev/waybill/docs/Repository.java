package dev.waybill.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The files of this project: the documentation, and the sources it refers to. */
final class Repository {
    private static final List<String> PAGES_AT_THE_ROOT = List.of("README.md", "CHANGELOG.md", "CONTRIBUTING.md");

    private final Path root;
    private final Map<String, List<Path>> sources;
    private final Map<String, String> superclasses = new HashMap<>();

    private Repository(Path root) {
        this.root = root;
        this.sources = modules(root).stream()
                .flatMap(module -> files(module.resolve("src"), ".java").stream())
                .collect(Collectors.groupingBy(Repository::className));
    }

    /** Tests run in the directory of their module, below the root. */
    static Repository here() {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.exists(directory.resolve("core/waybill-core"))) {
            directory = Optional.ofNullable(directory.getParent())
                    .orElseThrow(() -> new IllegalStateException("Run the tests inside the project's directory."));
        }
        return new Repository(directory);
    }

    static Repository at(Path root) {
        return new Repository(root);
    }

    Path root() {
        return root;
    }

    List<Page> pages() {
        List<Page> pages = new ArrayList<>();
        PAGES_AT_THE_ROOT.forEach(name -> pages.add(page(name)));
        files(root.resolve("docs"), ".md").forEach(file -> pages.add(Page.read(root, file)));
        return pages;
    }

    /** The concatenated sources of the tests whose snippets the pages show. */
    String examples() {
        return Stream.of("testing/waybill-walls/src/test/java/dev/waybill/docs", "integrations")
                .flatMap(folder -> files(root.resolve(folder), "ExamplesTest.java").stream())
                .map(Repository::read)
                .collect(Collectors.joining());
    }

    Page page(String path) {
        return Page.read(root, root.resolve(path));
    }

    /** All source files with the name of the class; several modules may have one. */
    List<JavaSource> sourcesOf(String className) {
        return sources.getOrDefault(className, List.of()).stream()
                .map(file -> JavaSource.of(read(file)))
                .toList();
    }

    /** The sources of the class, and of all classes whose tests it or a class nested in it inherits. */
    List<JavaSource> withSuperclassesOf(String className) {
        Set<String> seen = new LinkedHashSet<>(List.of(className));
        Deque<String> names = new ArrayDeque<>(seen);
        List<JavaSource> found = new ArrayList<>();
        while (!names.isEmpty()) {
            for (JavaSource source : sourcesOf(names.remove())) {
                found.add(source);
                source.superclasses().values().stream().filter(seen::add).forEach(names::add);
            }
        }
        return found;
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + file, e);
        }
    }

    List<Path> modules() {
        return modules(root);
    }

    /** The class and all classes that inherit its tests. */
    List<String> withSubclasses(String className) {
        List<String> found = new ArrayList<>(List.of(className));
        for (int i = 0; i < found.size(); i++) {
            String parent = found.get(i);
            superclasses().forEach((name, superclass) -> {
                if (superclass.equals(parent) && !found.contains(name)) {
                    found.add(name);
                }
            });
        }
        return found;
    }

    /** Superclasses of test classes and contracts; classes of one name in several modules count as one. */
    private Map<String, String> superclasses() {
        if (superclasses.isEmpty()) {
            sources.forEach((name, files) -> {
                if (name.endsWith("Test") || name.endsWith("Contract")) {
                    files.forEach(file ->
                            superclasses.putAll(JavaSource.of(read(file)).superclasses()));
                }
            });
        }
        return superclasses;
    }

    /** Module directories, each in a folder of its kind. */
    private static List<Path> modules(Path root) {
        try (Stream<Path> all = Files.walk(root, 2)) {
            return all.filter(directory -> !directory.equals(root) && Files.exists(directory.resolve("pom.xml")))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot list " + root, e);
        }
    }

    private static List<Path> files(Path directory, String ending) {
        if (!Files.exists(directory)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(file -> file.toString().endsWith(ending)).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot walk " + directory, e);
        }
    }

    private static String className(Path file) {
        String name = file.getFileName().toString();
        return name.substring(0, name.length() - ".java".length());
    }
}
