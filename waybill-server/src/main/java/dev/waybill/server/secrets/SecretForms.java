package dev.waybill.server.secrets;

import dev.waybill.spi.Printable;
import java.net.URLDecoder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * How a secret may look in a text: as it is, as part of an address, in JSON, in base64, or a line of it. Whoever writes an address
 * or JSON decides for each character whether to encode it, and no two agree. So every character may stand in any of its forms.
 */
final class SecretForms {
    /** A shorter one would make holes in every text. */
    static final int SHORTEST = 4;

    /** A shorter one, such as a password {@code guest}, is searched where it stands as a word of its own. */
    private static final int LONG = 8;

    /** Fewer characters of base64 are found in any text. */
    private static final int SHORTEST_BASE64 = 8;

    private static final String PEM = "-----";

    private SecretForms() {}

    /** The secret, as it is and decoded, and its lines: all of them where it is a key, which often ends with a short one. */
    static Set<String> textsOf(String secret) {
        Set<String> texts = new LinkedHashSet<>();
        texts.add(secret);
        texts.add(secret.strip());
        texts.add(decoded(secret));
        int shortest = secret.contains(PEM) ? SHORTEST : LONG;
        secret.lines()
                .map(String::strip)
                .filter(line -> line.length() >= shortest && !line.startsWith(PEM))
                .forEach(texts::add);
        texts.removeIf(text -> text.length() < SHORTEST);
        return texts;
    }

    private static String decoded(String secret) {
        try {
            return URLDecoder.decode(secret.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return secret; // a per cent sign that begins no code
        }
    }

    /** A regular expression that finds the text in all its forms. */
    static String inText(String text) {
        return searched(text, character -> Set.of(Character.toString(character)));
    }

    /** The same for what is encoded, each byte being read as one character. */
    static String inBytes(String text, Collection<Charset> charsets) {
        return searched(
                text,
                character -> charsets.stream()
                        .map(charset -> new String(
                                Character.toString(character).getBytes(charset), StandardCharsets.ISO_8859_1))
                        .collect(Collectors.toSet()));
    }

    /** As it is written where nothing is encoded. */
    private interface Plain {
        Set<String> of(int character);
    }

    private static String searched(String text, Plain plain) {
        String inWords =
                text.codePoints().mapToObj(character -> oneOf(character, plain)).collect(Collectors.joining());
        String bounded = text.length() < LONG ? "(?<![A-Za-z0-9])" + inWords + "(?![A-Za-z0-9])" : inWords;
        Set<String> base64 = base64(text);
        return base64.isEmpty()
                ? bounded
                : bounded + base64.stream().map(Pattern::quote).collect(Collectors.joining("|", "|", ""));
    }

    private static String oneOf(int character, Plain plain) {
        Set<String> forms = new LinkedHashSet<>(plain.of(character));
        if (!isLetterOrDigit(character)) {
            addEncoded(character, forms);
        }
        return forms.stream()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .map(Pattern::quote)
                .collect(Collectors.joining("|", "(?:", ")"));
    }

    private static boolean isLetterOrDigit(int character) {
        return character < 128 && Character.isLetterOrDigit(character);
    }

    private static void addEncoded(int character, Set<String> forms) {
        String text = Character.toString(character);
        StringBuilder percent = new StringBuilder();
        for (byte one : text.getBytes(StandardCharsets.UTF_8)) {
            percent.append(String.format(Locale.ROOT, "%%%02X", one));
        }
        forms.add(percent.toString());
        forms.add(percent.toString().toLowerCase(Locale.ROOT));
        StringBuilder escaped = new StringBuilder();
        text.chars().forEach(unit -> escaped.append(String.format(Locale.ROOT, "\\u%04x", unit)));
        forms.add(escaped.toString());
        forms.add(escaped.toString().toUpperCase(Locale.ROOT).replace("\\U", "\\u"));
        forms.addAll(
                switch (character) {
                    case ' ' -> Set.of("+");
                    case '"', '\\', '/' -> Set.of("\\" + text);
                    case '\n' -> Set.of("\\n");
                    case '\r' -> Set.of("\\r");
                    case '\t' -> Set.of("\\t");
                    case '\b' -> Set.of("\\b");
                    case '\f' -> Set.of("\\f");
                    default -> Set.of();
                });
        // As it stands in tables and lines of the log.
        forms.add(Printable.whole(text));
    }

    /** A secret in the middle of something encoded, such as user and password, begins at one of three places. */
    private static Set<String> base64(String secret) {
        Set<String> forms = new LinkedHashSet<>();
        byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
        for (Base64.Encoder encoder : Set.of(Base64.getEncoder(), Base64.getUrlEncoder())) {
            for (int offset = 0; offset < 3; offset++) {
                byte[] shifted = new byte[offset + bytes.length];
                System.arraycopy(bytes, 0, shifted, offset, bytes.length);
                String encoded = encoder.withoutPadding().encodeToString(shifted);
                // The characters at both ends also depend on what stands beside the secret.
                int begin = offset == 0 ? 0 : offset + 1;
                int end = shifted.length % 3 == 0 ? encoded.length() : encoded.length() - 1;
                if (end - begin >= SHORTEST_BASE64) {
                    forms.add(encoded.substring(begin, end));
                }
            }
        }
        return forms;
    }
}
