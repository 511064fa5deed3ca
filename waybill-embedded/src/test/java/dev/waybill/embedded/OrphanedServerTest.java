package dev.waybill.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class OrphanedServerTest {
    /** Started in a JVM of its own: tells its server's process and directory, then waits to be ended. */
    static final class StartAndTell {
        private StartAndTell() {}

        public static void main(String[] arguments) throws Exception {
            PostgresServer server = PostgresServer.start();
            try (var connection = server.dataSource("postgres").getConnection();
                    var result = connection.createStatement().executeQuery("show data_directory")) {
                result.next();
                System.out.println(server.postmasterPid() + " " + result.getString(1));
            }
            System.in.read();
        }
    }

    private record Child(Process jvm, ProcessHandle postmaster, Path data) {
        static Child start() throws IOException {
            Process jvm = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            StartAndTell.class.getName())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            BufferedReader output = jvm.inputReader(StandardCharsets.UTF_8);
            String[] told = output.readLine().split(" ", 2);
            return new Child(jvm, ProcessHandle.of(Long.parseLong(told[0])).orElseThrow(), Path.of(told[1]));
        }

        void end() {
            jvm.destroyForcibly();
            postmaster.destroyForcibly();
        }
    }

    @Test
    void the_server_of_a_killed_jvm_is_ended_by_the_next_start() throws Exception {
        Child child = Child.start();
        try {
            child.jvm().destroyForcibly().waitFor();
            assertThat(Postmaster.isRunning(child.postmaster())).isTrue();

            ServerDirectory.sweepOrphans();

            assertThat(Postmaster.isRunning(child.postmaster())).isFalse();
            assertThat(child.data().getParent()).doesNotExist();
        } finally {
            child.end();
        }
    }

    @Test
    void the_server_of_a_living_jvm_is_left_alone_and_ends_with_it() throws Exception {
        Child child = Child.start();
        try {
            ServerDirectory.sweepOrphans();
            assertThat(Postmaster.isRunning(child.postmaster())).isTrue();
            assertThat(child.data()).isDirectory();

            child.jvm().getOutputStream().close();
            child.jvm().waitFor();

            assertThat(Postmaster.isRunning(child.postmaster())).isFalse();
            assertThat(child.data().getParent()).doesNotExist();
        } finally {
            child.end();
        }
    }

    @Test
    void an_owner_is_told_from_a_later_process_with_its_pid() {
        Owner self = Owner.thisJvm();

        assertThat(self.isAlive()).isTrue();
        assertThat(Owner.parse(self.line())).contains(self);
        assertThat(new Owner(self.pid(), self.startedAtSecond() - 60).isAlive()).isFalse();
        assertThat(Owner.parse("half")).isEmpty();
    }
}
