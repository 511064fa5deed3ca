package dev.waybill.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PubSubEmulatorTest {
    private static final String NAME = "platform/pubsub-emulator/lib/cloud-pubsub-emulator-1.2.3-all.jar";

    @Test
    void it_listens_on_loopback_until_it_is_closed() throws IOException {
        assumeInstalled();
        PubSubEmulator emulator = PubSubEmulator.startIfInstalled().orElseThrow();
        ProcessHandle process = ProcessHandle.of(emulator.pid()).orElseThrow();
        try (emulator) {
            String[] address = emulator.address().split(":", 2);
            try (Socket socket = new Socket(address[0], Integer.parseInt(address[1]))) {
                assertThat(socket.getInetAddress().isLoopbackAddress()).isTrue();
            }
        }
        assertThat(process.isAlive()).isFalse();
        emulator.close();
    }

    @Test
    void it_ends_with_the_jvm_that_started_it_even_when_that_is_killed() throws Exception {
        assumeInstalled();
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        StartAndTell.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            long pid = Long.parseLong(
                    jvm.inputReader(StandardCharsets.UTF_8).readLine().strip());
            ProcessHandle emulator = ProcessHandle.of(pid).orElseThrow();
            jvm.destroyForcibly().waitFor();
            try {
                emulator.onExit().get(60, TimeUnit.SECONDS);
            } finally {
                emulator.destroyForcibly();
            }
        } finally {
            jvm.destroyForcibly();
        }
    }

    @Test
    void a_program_that_is_not_an_emulator_fails_with_its_last_lines(@TempDir Path directory) throws IOException {
        Path empty = Files.createFile(directory.resolve("empty.jar"));
        assertThatExceptionOfType(EmbeddedServerException.class)
                .isThrownBy(() -> PubSubEmulator.start(empty))
                .withMessageContaining("does not listen on 127.0.0.1:");
    }

    @Test
    void the_jar_is_found_where_the_environment_says(@TempDir Path sdk) throws IOException {
        Path jar = jarIn(sdk);
        assertThat(PubSubEmulatorJar.find(Map.of("WAYBILL_PUBSUB_EMULATOR", jar.toString()), "", List.of()))
                .contains(jar);
        assertThat(PubSubEmulatorJar.find(Map.of("WAYBILL_PUBSUB_EMULATOR", sdk.toString()), "", List.of()))
                .contains(jar);
        assertThat(PubSubEmulatorJar.find(Map.of("CLOUDSDK_ROOT_DIR", sdk.toString()), "", List.of()))
                .contains(jar);
    }

    @Test
    void the_jar_is_found_beside_the_command_at_home_and_in_the_usual_places(@TempDir Path root) throws IOException {
        Path sdk = root.resolve("google-cloud-sdk");
        Path jar = jarIn(sdk);
        Path command =
                Files.createFile(Files.createDirectories(sdk.resolve("bin")).resolve("gcloud"));
        assertThat(command.toFile().setExecutable(true)).isTrue();
        Path links = Files.createDirectories(root.resolve("links"));
        Files.createSymbolicLink(links.resolve("gcloud"), command);

        assertThat(PubSubEmulatorJar.find(Map.of("PATH", "/nowhere:" + links), "", List.of()))
                .contains(jar);
        assertThat(PubSubEmulatorJar.find(Map.of(), root.toString(), List.of())).contains(jar);
        assertThat(PubSubEmulatorJar.find(Map.of(), "", List.of("/nowhere", sdk.toString())))
                .contains(jar);
        assertThat(PubSubEmulatorJar.find(Map.of(), "", List.of("/nowhere"))).isEmpty();
    }

    private static Path jarIn(Path sdk) throws IOException {
        Path jar = sdk.resolve(NAME);
        Files.createDirectories(jar.getParent());
        return Files.createFile(jar);
    }

    private static void assumeInstalled() {
        assumeTrue(PubSubEmulatorJar.find().isPresent(), "Google's Pub/Sub emulator is not installed here");
    }

    /** Started in a JVM of its own: tells its emulator's process, then waits to be ended. */
    static final class StartAndTell {
        private StartAndTell() {}

        public static void main(String[] arguments) throws IOException {
            System.out.println(PubSubEmulator.startIfInstalled().orElseThrow().pid());
            System.in.read();
        }
    }
}
