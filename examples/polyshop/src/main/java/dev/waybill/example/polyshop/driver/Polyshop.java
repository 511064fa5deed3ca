package dev.waybill.example.polyshop.driver;

import dev.waybill.example.kit.Example;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The main class of {@code ./waybill example polyshop}. */
public final class Polyshop {
    private static final int USUAL_ORDERS = 200;
    private static final int USAGE = 2;

    private Polyshop() {}

    public static void main(String[] arguments) {
        System.exit(run(arguments).exitCode());
    }

    /** @param arguments those of every example, and {@code --otlp URL} */
    static Example.Outcome run(String... arguments) {
        List<String> others = new ArrayList<>(List.of(arguments));
        int option = others.indexOf("--otlp");
        Optional<String> collector = Optional.empty();
        if (option >= 0) {
            if (option + 1 == others.size()) {
                return refused("--otlp takes the address of a collector, such as http://127.0.0.1:4318/v1/traces.");
            }
            collector = Optional.of(others.remove(option + 1));
            others.remove(option);
        }
        Optional<String> missing = Tools.missing();
        if (missing.isPresent()) {
            return refused(missing.get());
        }
        return play(new Day(collector, Victims.ALL), others);
    }

    static Example.Outcome play(Day day, List<String> arguments) {
        String description =
                "Nine services in Java, Node.js and Python that exchange events over Kafka. With --otlp URL the"
                        + " Java services export their spans to a collector, such as Jaeger's.";
        return new Example("polyshop", description, USUAL_ORDERS, day::play).run(arguments.toArray(String[]::new));
    }

    private static Example.Outcome refused(String why) {
        System.err.println("waybill example polyshop: " + why);
        return new Example.Outcome(USAGE, List.of());
    }
}
