package dev.waybill.docs;

import dev.waybill.docs.TestReports.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Compares the tests that docs/requirements.md names with what became of them. A test is a proof if it ran and passed. One that
 * runs only in {@code ./check --full} has the mark {@code (full)} behind its name, and one that needs a server which
 * {@code ./install-servers} does not install has the mark {@code (skipped)}.
 */
final class Proofs {
    private static final String FULL = "full";
    private static final String SKIPPED = "skipped";
    /** A name in backticks, perhaps with a mark. */
    private static final Pattern PROOF =
            Pattern.compile("`([A-Z]\\w*(?:Test|Contract))(?:#(\\w+))?`(?: \\((full|skipped)\\))?");

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

    /** A test that a row names. */
    private record Proof(String rule, String className, Optional<String> method, Optional<String> mark) {
        static Proof of(String rule, MatchResult found) {
            return new Proof(
                    rule, found.group(1), Optional.ofNullable(found.group(2)), Optional.ofNullable(found.group(3)));
        }

        boolean hasMark(String expected) {
            return mark.filter(expected::equals).isPresent();
        }

        String problem(String words) {
            return rule + ": " + className + method.map(name -> "#" + name).orElse("") + " " + words;
        }
    }

    /** @param rows of the page: rule, text, state, tests */
    Proofs check(List<List<String>> rows) {
        for (List<String> row : rows) {
            PROOF.matcher(row.get(3)).results().forEach(found -> check(Proof.of(row.get(0), found)));
        }
        return this;
    }

    /** What is wrong with the page or the tests. */
    List<String> problems() {
        return List.copyOf(problems);
    }

    /** Proofs that this machine does not have, because a server is not installed. */
    List<String> notHere() {
        return List.copyOf(notHere);
    }

    private void check(Proof proof) {
        List<JavaSource> sources = repository.sourcesOf(proof.className());
        boolean isFull = proof.method()
                .map(name -> sources.stream().anyMatch(source -> source.isTagged(name)))
                .orElseGet(() -> sources.stream().anyMatch(JavaSource::isAllTagged));
        if (isFull != proof.hasMark(FULL)) {
            problems.add(proof.problem(
                    isFull
                            ? "runs only in ./check --full: write (full) behind it"
                            : "runs in every ./check: remove the mark (full)"));
        } else if (!isFull || fullRun) {
            checkResults(proof, resultsOf(proof, sources));
        }
    }

    private void checkResults(Proof proof, List<Result> results) {
        if (results.contains(Result.FAILED)) {
            problems.add(proof.problem("failed: correct it, or make the row \"not yet\""));
        } else if (results.contains(Result.PASSED)) {
            return;
        } else if (results.isEmpty()) {
            problems.add(proof.problem("did not run: name a test that does, or make the row \"not yet\""));
        } else if (results.contains(Result.NO_SERVER)) {
            if (!proof.hasMark(SKIPPED)) {
                problems.add(proof.problem(
                        "was skipped, because no server is named in the environment: write (skipped) behind it"));
            }
        } else {
            notHere.add(proof.problem("was skipped; ./check lists why"));
        }
    }

    private List<Result> resultsOf(Proof proof, List<JavaSource> sources) {
        List<String> classes = repository.withSubclasses(proof.className());
        if (proof.method().isPresent()) {
            return results(classes, proof.method().get());
        }
        List<Result> all = new ArrayList<>();
        for (JavaSource source : sources) {
            for (String method : source.tests()) {
                if (!source.isTagged(method) || fullRun) {
                    List<Result> results = results(classes, method);
                    if (results.isEmpty()) {
                        problems.add(proof.problem("has a test that did not run: " + method));
                    }
                    all.addAll(results);
                }
            }
        }
        // A subclass of a contract that has no tests of its own.
        return all.isEmpty()
                ? classes.stream().flatMap(name -> reports.of(name).stream()).toList()
                : all;
    }

    private List<Result> results(List<String> classes, String method) {
        return classes.stream()
                .flatMap(name -> reports.of(name, method).stream())
                .toList();
    }
}
