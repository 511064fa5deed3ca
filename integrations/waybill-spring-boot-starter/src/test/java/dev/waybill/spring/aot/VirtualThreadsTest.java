package dev.waybill.spring.aot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.spring.boot.run.Servers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** With {@code spring.threads.virtual.enabled}, on a Java that has virtual threads: this one, or one that is installed beside it. */
class VirtualThreadsTest {
    private static final int FIRST = 21;
    private static final Pattern VERSION = Pattern.compile("JAVA_VERSION=\"(\\d+)");

    private static Optional<Path> javaHome() throws IOException {
        Path own = Path.of(System.getProperty("java.home")).toRealPath();
        if (Runtime.version().feature() >= FIRST) {
            return Optional.of(own);
        }
        try (Stream<Path> others = Files.list(own.getParent())) {
            return others.filter(other -> Files.isExecutable(other.resolve("bin/java")))
                    .filter(other -> versionOf(other) >= FIRST)
                    .findFirst();
        }
    }

    private static int versionOf(Path javaHome) {
        try {
            Matcher found = VERSION.matcher(Files.readString(javaHome.resolve("release")));
            return found.find() ? Integer.parseInt(found.group(1)) : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void virtual_threads_append_in_their_transactions_and_relays_stay_on_platform_threads() throws Exception {
        Optional<Path> javaHome = javaHome();
        assumeTrue(javaHome.isPresent(), "There is no Java " + FIRST + " or newer beside this one");
        String topic = Servers.unique("threads");
        String output = new Fork(javaHome.get())
                .run(
                        VirtualThreads.class,
                        List.of(
                                "--spring.threads.virtual.enabled=true",
                                "--spring.datasource.url=" + Servers.database(),
                                "--spring.kafka.bootstrap-servers="
                                        + Servers.kafka().bootstrapServers(),
                                "--waybill.auto-startup=true",
                                "--waybill.stores.main.schema=create",
                                "--waybill.relays.main.destination=kafka",
                                "--waybill.relays.main.route.topic=" + topic,
                                "--waybill.consumers.threads.destination=kafka",
                                "--waybill.consumers.threads.topics=" + topic));
        assertThat(output)
                .contains("appends on threads: [virtual]")
                .contains("refused: virtual, with the remedy")
                .contains("handlers on threads: [platform]")
                .containsPattern("platform threads: .*waybill-relay-main");
    }
}
