package dev.waybill.server.secrets;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What must not be shown. Whoever reads a secret adds it here, before anybody else gets it; whatever is printed is printed
 * without it. Safe for use by many threads.
 */
public final class Secrets {
    public static final String HIDDEN = "[hidden]";
    /** In the place of what nobody could search. */
    static final String NOT_SCRUBBED = "[this line could not be scrubbed]";

    private final Set<String> texts = new LinkedHashSet<>();
    private final Set<Charset> charsets =
            new LinkedHashSet<>(List.of(StandardCharsets.UTF_8, Charset.defaultCharset()));
    /** Nothing when a secret was added since. */
    private volatile @Nullable Searched searched;

    private record Searched(SecretSearch inText, SecretSearch inBytes) {}

    /** Knows what the environment of this process has. */
    public static Secrets ofThisProcess() {
        Secrets secrets = new Secrets();
        secrets.addNamed(System.getenv());
        secrets.addNamed(System.getProperties().stringPropertyNames().stream()
                .collect(Collectors.toMap(name -> name, System::getProperty)));
        return secrets;
    }

    /** Values whose name tells that they are secrets, and what is secret in the addresses among the others. */
    public void addNamed(Map<String, String> values) {
        values.forEach(this::addNamed);
    }

    /** One value that has a name. */
    public void addNamed(String name, String value) {
        addAll(AddressSecrets.in(value));
        if (name.toLowerCase(Locale.ROOT).contains("jaas")) {
            addAll(JaasSecrets.in(value));
        } else if (SecretNames.isLogin(name)) {
            addAll(LoginSecrets.in(value));
        } else if (SecretNames.isSecret(name)) {
            file(value).ifPresentOrElse(file -> addAll(CredentialsFile.secretsIn(file)), () -> add(value));
        }
    }

    /** Where the value names a file, what is in that file is the secret. */
    private static Optional<Path> file(String value) {
        try {
            return Optional.of(Path.of(value)).filter(path -> path.isAbsolute() && Files.isRegularFile(path));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    public void addAll(Collection<String> secrets) {
        secrets.forEach(this::add);
    }

    public synchronized void add(String secret) {
        if (secret.strip().length() >= SecretForms.SHORTEST && texts.addAll(SecretForms.textsOf(secret))) {
            searched = null;
        }
    }

    /** Another way in which the process writes text. */
    synchronized void printedIn(Charset charset) {
        if (charsets.add(charset)) {
            searched = null;
        }
    }

    private Searched searched() {
        Searched known = searched;
        return known == null ? prepared() : known;
    }

    private synchronized Searched prepared() {
        Searched known = new Searched(SecretSearch.inText(texts), SecretSearch.inBytes(texts, charsets));
        searched = known;
        return known;
    }

    /** The text without secrets. */
    public String hide(String text) {
        try {
            return searched().inText().replaceIn(text, HIDDEN);
        } catch (RuntimeException | Error e) {
            return NOT_SCRUBBED; // and nothing of the failure: it may quote what must not be shown
        }
    }

    /** The same for text that is encoded already. */
    byte[] hide(byte[] text) {
        try {
            return searched()
                    .inBytes()
                    .replaceIn(new String(text, StandardCharsets.ISO_8859_1), HIDDEN)
                    .getBytes(StandardCharsets.ISO_8859_1);
        } catch (RuntimeException | Error e) {
            return (NOT_SCRUBBED + "\n").getBytes(StandardCharsets.ISO_8859_1);
        }
    }
}
