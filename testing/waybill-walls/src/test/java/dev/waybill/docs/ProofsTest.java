package dev.waybill.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@link CheckProofs} finds in the reports of a run. */
class ProofsTest {
    @TempDir
    Path root;

    private Path module;

    @BeforeEach
    void writeTests() throws IOException {
        module = Files.createDirectories(root.resolve("stores/waybill-some"));
        Files.createFile(module.resolve("pom.xml"));
        source("SomeTest", """
                class SomeTest {
                    @Test
                    void works() {}

                    @Test
                    @Tag("full")
                    void works_with_a_million() {}
                }""");
        source("LongTest", """
                @Tag("full")
                class LongTest {
                    @Test
                    void works_for_hours() {}
                }""");
        source("OrderContract", """
                abstract class OrderContract {
                    @ParameterizedTest
                    @ValueSource(strings = {"a", "b"})
                    void keeps_order(String key) {}
                }""");
        source("SomeContractTest", "class SomeContractTest extends OrderContract {}");
    }

    @Test
    void a_test_that_passed_is_a_proof() throws IOException {
        report("SomeTest", "<testcase name='works' classname='dev.waybill.SomeTest'/>");

        assertThat(problems("`SomeTest#works`", "`SomeTest` (some full)")).isEmpty();
    }

    @Test
    void a_class_with_tests_of_the_full_check_has_a_mark_or_names_its_tests() throws IOException {
        report("SomeTest", "<testcase name='works' classname='dev.waybill.SomeTest'/>");
        report("InheritingTest", "<testcase name='works' classname='dev.waybill.InheritingTest'/>");
        source("InheritingTest", "class InheritingTest extends SomeTest {}");

        for (String name : List.of("SomeTest", "InheritingTest")) {
            assertThat(problems("`" + name + "`"))
                    .containsExactly(
                            "P1: " + name + " has tests that run only in ./check --full: name the others, or write"
                                    + " (some full) behind it");
            assertThat(problems("`" + name + "` (full)")).hasSize(1);
            assertThat(problems("`" + name + "` (some full)")).isEmpty();
        }
    }

    @Test
    void a_rule_is_proved_only_if_a_test_passed_in_this_run() throws IOException {
        report("SomeTest", """
                <testcase name='works' classname='dev.waybill.SomeTest'>
                    <skipped message='Environment variable [SOME_URI] does not exist'/>
                </testcase>""");
        for (String tests : List.of("`LongTest` (full)", "`SomeTest#works` (skipped)", "no test at all")) {
            assertThat(check(false, Proofs.PROVED, tests).problems())
                    .singleElement()
                    .asString()
                    .startsWith("P1: is \"proved\", but none of its tests ran and passed in every ./check");
        }
        assertThat(check(false, Proofs.PARTLY, "`SomeTest#works` (skipped)").problems())
                .hasSize(1);
        assertThat(check(false, Proofs.PARTLY, "`LongTest` (full)").problems()).isEmpty();
        assertThat(check(false, "not yet", "the example").problems()).isEmpty();
    }

    @Test
    void a_rule_is_proved_by_the_full_check_if_a_test_with_the_mark_passes_there() throws IOException {
        report("SomeTest", "<testcase name='works' classname='dev.waybill.SomeTest'/>");
        assertThat(check(false, Proofs.PROVED_FULL, "`LongTest` (full)").problems())
                .isEmpty();
        assertThat(check(false, Proofs.PROVED_FULL, "`SomeTest#works`").problems())
                .hasSize(1);
        assertThat(check(true, Proofs.PROVED_FULL, "`LongTest` (full)").problems())
                .singleElement()
                .asString()
                .contains("did not run");

        report("LongTest", "<testcase name='works_for_hours' classname='dev.waybill.LongTest'/>");
        assertThat(check(true, Proofs.PROVED_FULL, "`LongTest` (full)").problems())
                .isEmpty();
        assertThat(check(true, Proofs.PROVED, "`LongTest` (full)").problems()).hasSize(1);
    }

    @Test
    void a_test_that_is_switched_off_is_no_proof_alone_or_in_its_class() throws IOException {
        source("TwoTest", """
                class TwoTest {
                    @Test
                    void works() {}

                    @Test
                    void is_off() {}
                }""");
        report("TwoTest", """
                <testcase name='works' classname='dev.waybill.TwoTest'/>
                <testcase name='is_off' classname='dev.waybill.TwoTest'><skipped message='later'/></testcase>""");

        assertThat(problems("`TwoTest#is_off`")).containsExactly("P1: TwoTest#is_off was skipped: name tests that run");
        assertThat(problems("`TwoTest`"))
                .containsExactly("P1: TwoTest has a test that was skipped (is_off): name tests that run");
        assertThat(problems("`TwoTest#works`")).isEmpty();
    }

    @Test
    void a_test_that_failed_is_none() throws IOException {
        report("SomeTest", "<testcase name='works' classname='dev.waybill.SomeTest'><failure>no</failure></testcase>");

        assertThat(problems("`SomeTest#works`"))
                .containsExactly("P1: SomeTest#works failed: correct it, or make the row \"not yet\"");
    }

    @Test
    void a_test_that_did_not_run_is_none() throws IOException {
        report("SomeTest", "<testcase name='another' classname='dev.waybill.SomeTest'/>");

        assertThat(problems("`SomeTest#works`")).singleElement().asString().contains("did not run: name a test that");
        assertThat(problems("`SomeTest` (some full)"))
                .anyMatch(problem -> problem.contains("has a test that did not run (works)"));
    }

    @Test
    void a_test_of_the_full_check_has_a_mark_and_no_other_has_one() throws IOException {
        report("SomeTest", "<testcase name='works' classname='dev.waybill.SomeTest'/>");

        assertThat(problems("`SomeTest#works`", "`SomeTest#works_with_a_million` (full)", "`LongTest` (full)"))
                .isEmpty();
        assertThat(problems("`SomeTest#works_with_a_million`", "`LongTest#works_for_hours`"))
                .hasSize(2)
                .allMatch(problem -> problem.endsWith("runs only in ./check --full: write (full) behind it"));
        assertThat(problems("`SomeTest#works` (full)"))
                .containsExactly("P1: SomeTest#works runs in every ./check: remove the mark (full)");
    }

    @Test
    void in_the_full_check_a_marked_test_must_have_passed() throws IOException {
        report("SomeTest", "<testcase name='works' classname='dev.waybill.SomeTest'/>");

        assertThat(proofs(true, "`SomeTest#works_with_a_million` (full)").problems())
                .singleElement()
                .asString()
                .contains("did not run");
    }

    @Test
    void a_test_of_a_contract_is_proved_by_any_class_that_inherits_it() throws IOException {
        report("SomeContractTest", """
                <testcase name='keeps_order(String)[1][2]' classname='dev.waybill.SomeContractTest[1]'/>
                <testcase name='keeps_order(String)[2][2]' classname='dev.waybill.SomeContractTest[2]'>
                    <skipped message='Assumption failed: it keeps none'/>
                </testcase>""");

        assertThat(problems("`OrderContract#keeps_order`", "`OrderContract`", "`SomeContractTest`"))
                .isEmpty();
    }

    @Test
    void a_test_without_its_server_is_marked_if_the_server_has_to_be_named_and_listed_if_it_can_be_installed()
            throws IOException {
        report("SomeTest", """
                <testcase name='works' classname='dev.waybill.SomeTest'>
                    <skipped message='Environment variable [SOME_URI] does not exist'/>
                </testcase>""");
        report("OtherTest", "<testcase name='passes' classname='dev.waybill.OtherTest'/>");
        source("OtherTest", "class OtherTest {\n    @Test\n    void passes() {}\n}");
        assertThat(problems("`SomeTest#works` (skipped)", "`OtherTest`")).isEmpty();
        assertThat(problems("`SomeTest#works`")).singleElement().asString().contains("write (skipped) behind it");

        report("SomeTest", """
                <testcase name='works' classname='dev.waybill.SomeTest'>
                    <skipped message='Assumption failed: RabbitMQ is not installed'/>
                </testcase>""");
        Proofs proofs = proofs(false, "`SomeTest#works`");
        assertThat(proofs.problems()).isEmpty();
        assertThat(proofs.notHere()).containsExactly("P1: SomeTest#works was skipped; ./check lists why");
    }

    private List<String> problems(String... tests) {
        return proofs(false, tests).problems();
    }

    private Proofs proofs(boolean full, String... tests) {
        return check(full, Proofs.PROVED, String.join(", ", tests));
    }

    private Proofs check(boolean full, String state, String tests) {
        Repository repository = Repository.at(root);
        return new Proofs(repository, TestReports.of(repository.modules()), full)
                .check(List.of(List.of("P1", "the rule", state, tests)));
    }

    private void source(String name, String text) throws IOException {
        Path directory = Files.createDirectories(module.resolve("src/test/java/dev/waybill"));
        Files.writeString(directory.resolve(name + ".java"), "package dev.waybill;\n\n" + text);
    }

    private void report(String name, String tests) throws IOException {
        Path directory = Files.createDirectories(module.resolve("target/surefire-reports"));
        Files.writeString(
                directory.resolve("TEST-dev.waybill." + name + ".xml"), "<testsuite>" + tests + "</testsuite>");
    }
}
