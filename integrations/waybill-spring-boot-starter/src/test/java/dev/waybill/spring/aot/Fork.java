package dev.waybill.spring.aot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Another JVM with the class path of the tests. */
final class Fork {
    private final Path javaHome;
    private final List<String> options = new ArrayList<>();
    private String classPath = System.getProperty("java.class.path");

    Fork(Path javaHome) {
        this.javaHome = javaHome;
    }

    static Fork ofThisJava() {
        return new Fork(Path.of(System.getProperty("java.home")));
    }

    Fork with(String option) {
        options.add(option);
        return this;
    }

    Fork classesFirst(Path directory) {
        classPath = directory + ":" + classPath;
        return this;
    }

    /** What it printed; it must end without a failure. */
    String run(Class<?> main, List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                javaHome.resolve("bin/java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:-BytecodeVerificationRemote"));
        command.addAll(options);
        command.addAll(List.of("-cp", classPath, main.getName()));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).describedAs(output).isZero();
        return output;
    }
}
