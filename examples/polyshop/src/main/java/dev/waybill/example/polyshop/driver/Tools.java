package dev.waybill.example.polyshop.driver;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What the services in Node.js and Python need, and where they are. */
final class Tools {
    /** Debian's own, which has Debian's packages. */
    static final String PYTHON = "/usr/bin/python3";

    static final String NODE = "node";

    private static final String REMEDY =
            " ./install-servers installs it if it runs as root; or install with apt-get nodejs, npm,"
                    + " python3-psycopg2, python3-confluent-kafka and python3-aiosmtpd, and run npm ci in examples/polyshop/payment.";

    private Tools() {}

    /** The folder of the example. */
    static Path home() {
        try {
            Path classes = Path.of(Tools.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            return classes.resolve("../..").normalize();
        } catch (URISyntaxException e) {
            throw new IllegalStateException("The folder of the example is unknown.", e);
        }
    }

    static Path payment() {
        return home().resolve("payment");
    }

    static Path notification() {
        return home().resolve("notification");
    }

    /** What is missing, and how to get it. */
    static Optional<String> missing() {
        if (!works(NODE, "--version")) {
            return Optional.of("Node.js is not installed." + REMEDY);
        }
        if (!Files.isDirectory(payment().resolve("node_modules/pg"))
                || !Files.isDirectory(payment().resolve("node_modules/kafkajs"))) {
            return Optional.of("The packages pg and kafkajs of Node.js are not installed." + REMEDY);
        }
        if (!works(PYTHON, "-c", "import psycopg2, confluent_kafka, aiosmtpd")) {
            return Optional.of("Python's packages psycopg2, confluent_kafka and aiosmtpd are not installed." + REMEDY);
        }
        return Optional.empty();
    }

    private static boolean works(String... words) {
        List<String> command = Arrays.asList(words);
        try {
            return new ProcessBuilder(command)
                            .redirectOutput(Redirect.DISCARD)
                            .redirectError(Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
