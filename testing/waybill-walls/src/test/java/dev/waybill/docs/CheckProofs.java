package dev.waybill.docs;

import java.util.Arrays;
import java.util.List;

/**
 * Run by {@code ./check} after all tests: whether the tests that docs/requirements.md names as proofs ran and passed. With
 * {@code --full}, also those that only run then.
 */
final class CheckProofs {
    private CheckProofs() {}

    public static void main(String[] arguments) {
        Repository repository = Repository.here();
        TestReports reports = TestReports.of(repository.modules());
        if (reports.isEmpty()) {
            System.err.println("check: there are no test reports; run ./check, which makes them");
            System.exit(1);
        }
        Proofs proofs = new Proofs(repository, reports, Arrays.asList(arguments).contains("--full"))
                .check(Page.rows(repository.page("docs/requirements.md").text()));
        print("check: not proved on this machine:", proofs.notHere());
        print("check: docs/requirements.md names proofs that do not hold:", proofs.problems());
        System.exit(proofs.problems().isEmpty() ? 0 : 1);
    }

    private static void print(String title, List<String> lines) {
        if (!lines.isEmpty()) {
            System.out.println(title);
            lines.forEach(line -> System.out.println("  " + line));
        }
    }
}
