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
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The known secrets. Code that reads a secret adds it here before it passes it on; everything printed is searched for them. Safe
 * for use by many threads.
 */
public final class Secrets {
    public static final String HIDDEN = "[hidden]";
    /** Replaces a text that could not be searched. */
    static final String NOT_SCRUBBED = "[this line could not be scrubbed]";

    private static final Set<String> SETTINGS = Set.of("true", "false", "yes", "no", "on", "off", "none", "null");
    private static final Pattern SHORT_NUMBER = Pattern.compile("[+-]?\\d{1,7}");
    /** A word of so many sentences that hiding it would reveal it. */
    private static final String OUR_NAME = "waybill";

    private final Set<String> texts = new LinkedHashSet<>();
    private final Set<Charset> charsets =
            new LinkedHashSet<>(List.of(StandardCharsets.UTF_8, Charset.defaultCharset()));
    /** Null if a secret was added since. */
    private volatile @Nullable Searched searched;

    private record Searched(SecretSearch inText, SecretSearch inBytes) {}

    /** With the secrets of the environment variables of this process. */
    public static Secrets ofThisProcess() {
        Secrets secrets = new Secrets();
        secrets.addNamed(System.getenv());
        secrets.addNamed(System.getProperties().stringPropertyNames().stream()
                .collect(Collectors.toMap(name -> name, System::getProperty)));
        return secrets;
    }

    /** Adds the values whose names mark them as secrets, and the secrets in addresses among the others. */
    public void addNamed(Map<String, String> values) {
        values.forEach(this::addNamed);
    }

    /** Adds one named value. */
    public void addNamed(String name, String value) {
        try {
            addParts(name, value);
        } catch (RuntimeException | StackOverflowError e) {
            add(value); // its parts are unknown
        }
    }

    private void addParts(String name, String value) {
        addAll(AddressSecrets.in(value));
        if (name.toLowerCase(Locale.ROOT).contains("jaas")) {
            addAll(JaasSecrets.in(value));
        } else if (SecretNames.isLogin(name)) {
            addAll(LoginSecrets.in(value));
        } else if (SecretNames.isFileOfSecrets(name) && file(value).isPresent()) {
            addAll(CredentialsFile.secretsIn(file(value).orElseThrow()));
        } else if (SecretNames.isSecret(name)
                && !isSetting(value)
                && file(value).isEmpty()) {
            add(value);
        }
    }

    /** A flag or a number, as in {@code TOKEN_ENABLED=true}: hiding it everywhere would spoil every answer. */
    private static boolean isSetting(String value) {
        return SETTINGS.contains(value.strip().toLowerCase(Locale.ROOT))
                || SHORT_NUMBER.matcher(value.strip()).matches();
    }

    /** A value that names a file is no secret itself, but its contents may be. The file may also be a program that prints a password. */
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
        if (secret.strip().length() >= SecretForms.SHORTEST
                && !secret.strip().equalsIgnoreCase(OUR_NAME)
                && texts.addAll(SecretForms.textsOf(secret))) {
            searched = null;
        }
    }

    /** Adds an encoding in which the process writes text. */
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
            return NOT_SCRUBBED; // without the failure, which may quote a secret
        }
    }

    /** The same for encoded text. */
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
