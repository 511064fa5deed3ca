package dev.waybill.embedded;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds Google's Pub/Sub emulator, a part of the Cloud SDK ({@code gcloud components install pubsub-emulator}). Searched in {@code
 * WAYBILL_PUBSUB_EMULATOR}, which is the jar or the directory of an SDK, in {@code CLOUDSDK_ROOT_DIR}, next to the {@code gcloud}
 * on the path, and in the usual directories of the SDK.
 */
final class PubSubEmulatorJar {
    private static final String LIBRARIES = "platform/pubsub-emulator/lib";
    private static final List<String> USUAL_PLACES = List.of(
            "/usr/lib/google-cloud-sdk",
            "/usr/share/google-cloud-sdk",
            "/opt/google-cloud-sdk",
            "/usr/local/google-cloud-sdk",
            "/snap/google-cloud-sdk/current",
            "/opt/homebrew/share/google-cloud-sdk",
            "/usr/local/share/google-cloud-sdk");

    private PubSubEmulatorJar() {}

    static Optional<Path> find() {
        return find(System.getenv(), System.getProperty("user.home", ""), USUAL_PLACES);
    }

    static Optional<Path> find(Map<String, String> environment, String home, List<String> usualPlaces) {
        String named = environment.getOrDefault("WAYBILL_PUBSUB_EMULATOR", "");
        if (named.endsWith(".jar") && Files.isRegularFile(Path.of(named))) {
            return Optional.of(Path.of(named));
        }
        List<String> roots = new ArrayList<>(List.of(named, environment.getOrDefault("CLOUDSDK_ROOT_DIR", "")));
        for (String directory : environment.getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
            rootOfGcloudIn(directory).ifPresent(roots::add);
        }
        if (!home.isBlank()) {
            roots.add(home + "/google-cloud-sdk");
        }
        roots.addAll(usualPlaces);
        return roots.stream()
                .filter(root -> !root.isBlank())
                .flatMap(root -> jarIn(Path.of(root).resolve(LIBRARIES)).stream())
                .findFirst();
    }

    /** The command may be a link to the SDK's {@code bin}. */
    private static Optional<String> rootOfGcloudIn(String directory) {
        Path command = Path.of(directory, "gcloud");
        if (directory.isBlank() || !Files.isExecutable(command)) {
            return Optional.empty();
        }
        try {
            return Optional.ofNullable(command.toRealPath().getParent())
                    .map(Path::getParent)
                    .map(Path::toString);
        } catch (IOException gone) {
            return Optional.empty();
        }
    }

    private static Optional<Path> jarIn(Path directory) {
        if (!Files.isDirectory(directory)) {
            return Optional.empty();
        }
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(directory, "cloud-pubsub-emulator*.jar")) {
            for (Path jar : jars) {
                return Optional.of(jar);
            }
            return Optional.empty();
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }
}
