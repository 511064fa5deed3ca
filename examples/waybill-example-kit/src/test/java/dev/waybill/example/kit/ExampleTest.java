package dev.waybill.example.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class ExampleTest {
    /** Ends when its input ends. */
    private static final Program ECHO =
            Program.command("echo", List.of("sh", "-c", "echo ready; exec cat")).readyWhen("ready");

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @Test
    void a_run_is_good_only_if_every_row_of_its_balance_is() {
        assertThat(play(run -> run.balance().equal("orders", 3, 3).atLeast("kills", 1, 2), "--exit")
                        .exitCode())
                .isZero();
        assertThat(play(run -> run.balance().equal("orders", 3, 3).equal("shipments", 3, 2), "--exit"))
                .satisfies(outcome -> assertThat(outcome.exitCode()).isEqualTo(1))
                .satisfies(outcome ->
                        assertThat(outcome.rows()).extracting(Balance.Row::ok).containsExactly(true, false));
        assertThat(text()).contains("shipments         3      2  NO", "NOT BALANCED; 1 of 2 rows differ");
        assertThat(play(run -> {}, "--exit").exitCode())
                .as("a balance that checks nothing")
                .isEqualTo(1);
    }

    @Test
    void texts_are_compared_as_often_as_they_are_there() {
        Example.Outcome outcome = play(
                run -> run.balance()
                        .same("in another order", List.of("a", "b", "b"), List.of("b", "a", "b"))
                        .same("one twice instead of another", List.of("a", "b"), List.of("a", "a"))
                        .same("one too much", List.of("a"), List.of("a", "c")),
                "--exit");
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.rows()).extracting(Balance.Row::ok).containsExactly(true, false, false);
        assertThat(outcome.rows())
                .extracting(Balance.Row::found)
                .containsExactly("3", "2, 1 missing (b), 1 too much (a)", "2, 1 too much (c)");
    }

    @Test
    void options_are_read_and_wrong_ones_refused() {
        AtomicReference<ExampleOptions> options = new AtomicReference<>();
        play(run -> options.set(run.options()), "--orders", "7", "--chaos", "--exit", "--seed", "42");
        assertThat(options.get()).isEqualTo(new ExampleOptions(7, true, true, 42));
        assertThat(text()).contains("7 events, processes are killed, seed 42");
        assertThat(play(run -> {}, "--events", "0").exitCode()).isEqualTo(CommandLine.ExitCode.USAGE);
    }

    @Test
    void a_second_run_at_the_same_time_is_refused_and_leaves_the_files_of_the_first() {
        Example.Outcome first = play(
                run -> {
                    Path file = Files.writeString(run.folder().resolve("of-the-first"), "");
                    Example.Outcome second = play(other -> other.balance().equal("one", 1, 1), "--exit");
                    run.balance()
                            .equal("exit code of the second", CommandLine.ExitCode.USAGE, second.exitCode())
                            .equal("files of the first", 1, Files.exists(file) ? 1 : 0);
                },
                "--exit");
        assertThat(first.exitCode()).as(text()).isZero();
        assertThat(play(run -> run.balance().equal("one", 1, 1), "--exit").exitCode())
                .as("after the first has ended")
                .isZero();
    }

    @Test
    void chaos_kills_every_victim_under_load_and_starts_it_again() {
        List<Child> children = new ArrayList<>();
        Example.Outcome outcome = play(
                run -> {
                    children.add(run.start(ECHO));
                    run.chaos().victim(children.get(0));
                    for (int done = 1; done <= 10; done++) {
                        run.chaos().progress(done);
                        run.draw();
                    }
                    run.chaos().finish();
                    run.balance().equal("running", 1, children.get(0).isRunning() ? 1 : 0);
                    run.chaos().report(run.balance());
                },
                "--events",
                "10",
                "--chaos",
                "--exit");
        assertThat(outcome.exitCode()).as(text()).isZero();
        assertThat(children.get(0).kills()).isEqualTo(1);
        assertThat(children.get(0).isRunning()).as("after the run").isFalse();
        assertThat(children.get(0).lines()).containsExactly("ready", "ready");
    }

    @Test
    void without_chaos_nothing_is_killed() {
        Example.Outcome outcome = play(
                run -> {
                    Child child = run.start(ECHO);
                    run.chaos().victim(child).finish();
                    run.balance().equal("kills", 0, child.kills());
                },
                "--exit");
        assertThat(outcome.exitCode()).as(text()).isZero();
    }

    @Test
    void a_process_that_ends_by_itself_fails_the_run_with_the_end_of_its_log() {
        Example.Outcome outcome = play(
                run -> {
                    run.launch(Program.command("broken", List.of("sh", "-c", "echo no licence; exit 3")));
                    run.until("something happens", () -> false);
                },
                "--exit");
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(text()).contains("broken ended by itself", "no licence");
    }

    @Test
    void a_java_program_is_started_by_its_main_class_and_what_it_prints_is_returned() {
        List<String> printedByIt = new ArrayList<>();
        Example.Outcome outcome = play(
                run -> {
                    printedByIt.add(run.execute(Program.java("greeting", Greeting.class, "harbour")));
                    run.balance().equal("greetings", 1, printedByIt.size());
                },
                "--exit");
        assertThat(outcome.exitCode()).as(text()).isZero();
        assertThat(printedByIt).containsExactly("hello harbour" + System.lineSeparator());
    }

    /** A program. */
    public static final class Greeting {
        private Greeting() {}

        public static void main(String[] arguments) {
            System.out.println("hello " + arguments[0]);
        }
    }

    private Example.Outcome play(Example.Play play, String... arguments) {
        PrintStream before = System.out;
        try (PrintStream captured = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
            System.setOut(captured);
            return new Example("test", "A test.", 5, play).run(arguments);
        } finally {
            System.setOut(before);
        }
    }

    private String text() {
        return printed.toString(StandardCharsets.UTF_8);
    }
}
