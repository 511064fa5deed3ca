package dev.waybill.testkit;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Command lines of Java processes that tests start: the Java and the class path of the test, and a quick start. */
public final class ChildJvm {
    /**
     * A process that runs for seconds benefits neither from the optimizing compiler nor from a concurrent collector, and
     * spends a fifth of its time on the verification of class files that the compiler has just written.
     */
    private static final List<String> QUICK_START = List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:-BytecodeVerificationRemote");

    private final List<String> options = new ArrayList<>();
    private String classPath = System.getProperty("java.class.path");

    private ChildJvm() {}

    /** @param megabytes size of the heap */
    public static ChildJvm heap(int megabytes) {
        return new ChildJvm().option("-Xmx" + megabytes + "m");
    }

    public ChildJvm option(String option) {
        options.add(option);
        return this;
    }

    public ChildJvm classPath(String other) {
        classPath = other;
        return this;
    }

    /** The command that runs the main method of a class. */
    public List<String> command(Class<?> main, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(QUICK_START);
        command.addAll(options);
        command.addAll(List.of("-cp", classPath, main.getName()));
        command.addAll(arguments);
        return command;
    }
}
