package dev.waybill.docs;

import dev.waybill.docs.TestReports.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Compares the tests that docs/requirements.md names with what became of them. A rule is proved if a test ran and passed in this
 * run, and no named one failed or was left out. A test that runs only in {@code ./check --full} has the mark {@code (full)}
 * behind its name, a class with some such tests {@code (some full)}, and one that needs a server which {@code ./install-servers}
 * does not install {@code (skipped)}.
 */
final class Proofs {
    static final String PROVED = "proved";
    static final String PROVED_FULL = "proved (full)";
    static final String PARTLY = "partly";

    private static final String FULL = "full";
    private static final String SOME_FULL = "some full";
    private static final String SKIPPED = "skipped";
    /** A name in backticks, perhaps with a mark. */
    private static final Pattern PROOF =
            Pattern.compile("`([A-Z]\\w*(?:Test|Contract))(?:#(\\w+))?`(?: \\((full|some full|skipped)\\))?");

    private final Repository repository;
    private final TestReports reports;
    private final boolean fullRun;
    private final List<String> problems = new ArrayList<>();
    private final List<String> notHere = new ArrayList<>();

    /** @param fullRun whether the reports are of {@code ./check --full} */
    Proofs(Repository repository, TestReports reports, boolean fullRun) {
        this.repository = repository;
        this.reports = reports;
        this.fullRun = fullRun;
    }

    /** What a named test contributes to its row; of a class, the first that one of its tests does. */
    private enum Shows {
        /** It ran in this run and passed. */
        PASSED,
        /** Its server can be installed, and is not. */
        NOT_HERE,
        /** It runs only in the full check, and this is not one. */
        IN_FULL_CHECK,
        NOTHING
    }

    /** A test that a row names. */
    private record Proof(String rule, String className, Optional<String> method, String mark) {
        static Proof of(String rule, MatchResult found) {
            return new Proof(
                    rule,
                    found.group(1),
                    Optional.ofNullable(found.group(2)),
                    Optional.ofNullable(found.group(3)).orElse(""));
        }

        String problem(String words) {
            return rule + ": " + className + method.map(name -> "#" + name).orElse("") + " " + words;
        }

        boolean isOfContract() {
            return className.endsWith("Contract");
        }
    }

    /**
     * A test method of a proof.
     *
     * @param own whether the class declares it; an inherited one of a contract may not apply to the class
     */
    private record TestMethod(boolean isFull, boolean own) {}

    /** @param rows of the page: rule, text, state, tests */
    Proofs check(List<List<String>> rows) {
        for (List<String> row : rows) {
            int before = problems.size();
            List<Proof> proofs = PROOF.matcher(row.get(3))
                    .results()
                    .map(found -> Proof.of(row.get(0), found))
                    .toList();
            List<Shows> always = new ArrayList<>();
            List<Shows> full = new ArrayList<>();
            proofs.forEach(proof -> (proof.mark().equals(FULL) ? full : always).add(check(proof)));
            if (problems.size() == before) {
                missing(row.get(2), always, full).ifPresent(words -> problems.add(row.get(0) + ": " + words));
            }
        }
        return this;
    }

    /** What the state of a row says and its tests do not show. */
    private Optional<String> missing(String state, List<Shows> always, List<Shows> full) {
        boolean shown = always.contains(Shows.PASSED) || always.contains(Shows.NOT_HERE);
        boolean shownInFull =
                full.contains(fullRun ? Shows.PASSED : Shows.IN_FULL_CHECK) || full.contains(Shows.NOT_HERE);
        return switch (state) {
            case PROVED ->
                shown
                        ? Optional.empty()
                        : Optional.of(
                                "is \"proved\", but none of its tests ran and passed in every ./check: name one that"
                                        + " does, or make the row \"proved (full)\" or \"not yet\"");
            case PROVED_FULL ->
                shownInFull
                        ? Optional.empty()
                        : Optional.of("is \"proved (full)\", but none of its tests has the mark (full) and passes in"
                                + " ./check --full");
            case PARTLY ->
                shown || shownInFull
                        ? Optional.empty()
                        : Optional.of("is \"partly\", but none of its tests ran and passed: make the row \"not yet\"");
            default -> Optional.empty();
        };
    }

    /** What is wrong with the page or the tests. */
    List<String> problems() {
        return List.copyOf(problems);
    }

    /** Proofs that this machine does not have, because a server is not installed. */
    List<String> notHere() {
        return List.copyOf(notHere);
    }

    private Shows check(Proof proof) {
        Map<String, TestMethod> tests = testsOf(proof);
        String mark = markOf(tests);
        if (!proof.mark().equals(mark) && !(proof.mark().equals(SKIPPED) && !mark.equals(FULL))) {
            problems.add(proof.problem(wrongMark(mark)));
            return Shows.NOTHING;
        }
        List<Shows> shown = new ArrayList<>();
        tests.forEach(
                (name, test) -> shown.add(test.isFull() && !fullRun ? Shows.IN_FULL_CHECK : shows(proof, name, test)));
        if (shown.contains(Shows.NOT_HERE)) {
            notHere.add(proof.problem("was skipped; ./check lists why"));
        }
        return List.of(Shows.values()).stream()
                .filter(shown::contains)
                .findFirst()
                .orElse(Shows.NOTHING);
    }

    private static String markOf(Map<String, TestMethod> tests) {
        long full = tests.values().stream().filter(TestMethod::isFull).count();
        return full == 0 ? "" : full == tests.size() ? FULL : SOME_FULL;
    }

    private static String wrongMark(String right) {
        return switch (right) {
            case FULL -> "runs only in ./check --full: write (full) behind it";
            case SOME_FULL ->
                "has tests that run only in ./check --full: name the others, or write (some full) behind it";
            default -> "runs in every ./check: remove the mark (full)";
        };
    }

    /** The named test, or the tests of the class; of a class that is no contract, with those it inherits. */
    private Map<String, TestMethod> testsOf(Proof proof) {
        List<JavaSource> own = repository.sourcesOf(proof.className());
        if (proof.method().isPresent()) {
            String name = proof.method().get();
            return Map.of(name, new TestMethod(own.stream().anyMatch(source -> source.isTagged(name)), true));
        }
        Map<String, TestMethod> tests = new LinkedHashMap<>();
        boolean isTagged = own.stream().anyMatch(JavaSource::isClassTagged);
        List<JavaSource> all = proof.isOfContract() ? own : repository.withSuperclassesOf(proof.className());
        for (JavaSource source : all) {
            for (String name : source.tests()) {
                tests.putIfAbsent(name, new TestMethod(isTagged || source.isTagged(name), own.contains(source)));
            }
        }
        return tests;
    }

    private Shows shows(Proof proof, String name, TestMethod test) {
        List<Result> results = repository.withSubclasses(proof.className()).stream()
                .flatMap(className -> reports.of(className, name).stream())
                .toList();
        String which = proof.method().isPresent() ? "" : "has a test that ";
        String method = proof.method().isPresent() ? "" : " (" + name + ")";
        if (results.isEmpty()) {
            problems.add(proof.problem(
                    which + "did not run" + method + ": name a test that does, or make the row \"not yet\""));
        } else if (results.contains(Result.FAILED)) {
            problems.add(proof.problem(which + "failed" + method + ": correct it, or make the row \"not yet\""));
        } else if (results.contains(Result.PASSED)) {
            return Shows.PASSED;
        } else if (results.contains(Result.NOT_INSTALLED)) {
            return Shows.NOT_HERE;
        } else if (results.contains(Result.NO_SERVER)) {
            if (!proof.mark().equals(SKIPPED)) {
                problems.add(proof.problem(which + "was skipped" + method
                        + ", because no server is named in the environment: write (skipped) behind it"));
            }
        } else if (test.own()) {
            problems.add(proof.problem(which + "was skipped" + method + ": name tests that run"));
        }
        return Shows.NOTHING;
    }
}
