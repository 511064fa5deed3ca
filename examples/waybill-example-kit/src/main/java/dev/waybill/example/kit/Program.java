package dev.waybill.example.kit;

import dev.waybill.embedded.EndWithParent;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A program that is run as a process of its own. Its standard input is a pipe that ends when the example ends, even if that is
 * killed: a program that is not Java ends itself then.
 *
 * @param name in the picture, and of its log file
 * @param words the command
 * @param environment added to that of the example
 * @param ready text in its log that says that it works; empty if nobody waits for it
 * @param directory to run it in
 */
public record Program(
        String name, List<String> words, Map<String, String> environment, String ready, Optional<Path> directory) {
    /**
     * Processes that live for seconds start faster without the second compiler, with one collecting thread and without
     * verification of the class files.
     */
    private static final List<String> JVM = List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:-BytecodeVerificationRemote",
            "-Xshare:auto");

    /** A public class with a public main method, on the class path of the example. */
    public static Program java(String name, Class<?> main, String... arguments) {
        return java(name, System.getProperty("java.class.path"), main.getName(), arguments);
    }

    /** A main class with a class path of its own. */
    public static Program java(String name, String classPath, String main, String... arguments) {
        List<String> words = new ArrayList<>(JVM);
        words.addAll(List.of(
                "-cp",
                classPath + File.pathSeparator + EndWithParent.classPath(),
                EndWithParent.class.getName(),
                main));
        words.addAll(List.of(arguments));
        return command(name, words);
    }

    /** Any program. */
    public static Program command(String name, List<String> words) {
        return new Program(name, List.copyOf(words), Map.of(), "", Optional.empty());
    }

    public Program environment(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(environment);
        all.putAll(more);
        return new Program(name, words, Map.copyOf(all), ready, directory);
    }

    /** @param text in its log that says that it works */
    public Program readyWhen(String text) {
        return new Program(name, words, environment, text, directory);
    }

    public Program in(Path folder) {
        return new Program(name, words, environment, ready, Optional.of(folder));
    }
}
