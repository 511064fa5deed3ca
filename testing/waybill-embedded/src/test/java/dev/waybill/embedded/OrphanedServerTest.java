package dev.waybill.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
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

    /** Tells the processes of a MariaDB and a RabbitMQ, as far as they are installed, then waits to be ended. */
    static final class StartTheMachinesAndTell {
        private StartTheMachinesAndTell() {}

        public static void main(String[] arguments) throws Exception {
            StringBuilder pids = new StringBuilder();
            if (MariaDbServer.isInstalled()) {
                pids.append(MariaDbServer.start().pid()).append(' ');
            }
            if (RabbitServer.isInstalled()) {
                RabbitServer rabbit = RabbitServer.start();
                pids.append(rabbit.pid()).append(' ').append(rabbit.epmdPid());
            }
            System.out.println(pids);
            System.in.read();
        }
    }

    private record Child(Process jvm, ProcessHandle postmaster, Path data) {
        static Child start() throws IOException {
            Process jvm = startJvm(StartAndTell.class);
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
    void the_server_of_a_running_jvm_is_not_touched_and_ends_with_it() throws Exception {
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
    @Tag("full")
    void the_machines_own_servers_of_a_killed_jvm_are_ended_by_the_next_start() throws Exception {
        assumeTrue(
                MariaDbServer.isInstalled() || RabbitServer.isInstalled(),
                "Neither MariaDB nor RabbitMQ is installed: ./install-servers installs them as root");
        Process jvm = startJvm(StartTheMachinesAndTell.class);
        List<ServerProcess> servers = List.of();
        try {
            servers = Stream.of(
                            jvm.inputReader(StandardCharsets.UTF_8).readLine().split(" "))
                    .map(pid -> new ServerProcess(
                            ProcessHandle.of(Long.parseLong(pid)).orElseThrow()))
                    .toList();
            jvm.destroyForcibly().waitFor();
            assertThat(servers).isNotEmpty().allMatch(ServerProcess::isRunning);

            ServerDirectory.sweepOrphans();

            assertThat(servers).noneMatch(ServerProcess::isRunning);
        } finally {
            jvm.destroyForcibly();
            servers.forEach(ServerProcess::kill);
        }
    }

    private static Process startJvm(Class<?> main) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        main.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    @Test
    void an_owner_is_distinguished_from_a_later_process_with_its_pid() {
        Owner self = Owner.thisJvm();

        assertThat(self.isAlive()).isTrue();
        assertThat(Owner.parse(self.line())).contains(self);
        assertThat(new Owner(self.pid(), self.startedAtSecond() - 60).isAlive()).isFalse();
        assertThat(Owner.parse("half")).isEmpty();
    }
}
