package dev.waybill.docs;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Test classes as pages name them: {@code SomeTest}, {@code SomeContract}, or one of their tests after a hash. */
final class NamedTests {
    private static final Pattern NAME = Pattern.compile("([A-Z]\\w*(?:Test|Contract))(?:#(\\w+))?");

    private NamedTests() {}

    static boolean isOne(String code) {
        return NAME.matcher(code).matches();
    }

    /** @return the problem with the name, if any */
    static Optional<String> problem(Repository repository, String code) {
        Matcher name = NAME.matcher(code);
        if (!name.matches()) {
            return Optional.of(code + " is not the name of a test");
        }
        List<JavaSource> sources = repository.sourcesOf(name.group(1));
        if (sources.stream().noneMatch(JavaSource::hasTests)) {
            return Optional.of(code + ": there is no such test class");
        }
        if (name.group(2) != null && sources.stream().noneMatch(source -> source.hasTest(name.group(2)))) {
            return Optional.of(code + ": the class has no such test");
        }
        return Optional.empty();
    }
}
