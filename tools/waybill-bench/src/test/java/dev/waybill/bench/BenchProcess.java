package dev.waybill.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The bench in a process of its own, as {@code ./waybill bench} starts it. */
public final class BenchProcess {
    /** For the bench and the processes that it starts: they measure for seconds, and nobody looks at the numbers. */
    private static final String QUICK_START = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
            + " -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote";

    private BenchProcess() {}

    /** Runs to its end and returns what it prints. */
    public static List<String> bench(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                "-cp",
                System.getProperty("java.class.path"),
                Bench.class.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        if (!Boolean.getBoolean("waybill.full")) {
            builder.environment().put("JDK_JAVA_OPTIONS", QUICK_START);
        }
        Process process = builder.start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(output).isZero();
            return output.lines().toList();
        } finally {
            process.destroy();
        }
    }
}
