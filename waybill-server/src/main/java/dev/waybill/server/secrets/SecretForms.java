package dev.waybill.server.secrets;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How a secret may look in a text: as it is, as part of an address, in JSON, in base64, or a line of it. */
final class SecretForms {
    /** A shorter line of a key or certificate tells nothing. */
    private static final int SHORTEST_LINE = 16;

    /** Fewer characters of base64 are found in any text. */
    private static final int SHORTEST_BASE64 = 8;

    private static final Pattern PERCENT = Pattern.compile("%[0-9A-F]{2}");

    private SecretForms() {}

    static Set<String> of(String secret) {
        Set<String> forms = new LinkedHashSet<>();
        addWritten(secret, forms);
        addWritten(decoded(secret), forms);
        secret.lines()
                .map(String::strip)
                .filter(line -> line.length() >= SHORTEST_LINE && !line.startsWith("-----"))
                .forEach(line -> addWritten(line, forms));
        return forms;
    }

    private static void addWritten(String secret, Set<String> forms) {
        forms.add(secret);
        forms.add(secret.strip());
        String encoded = URLEncoder.encode(secret, StandardCharsets.UTF_8);
        forms.add(encoded);
        forms.add(encoded.replace("+", "%20"));
        forms.add(PERCENT.matcher(encoded)
                .replaceAll(code -> Matcher.quoteReplacement(code.group().toLowerCase(Locale.ROOT))));
        forms.add(inJson(secret));
        addBase64(secret, Base64.getEncoder(), forms);
        addBase64(secret, Base64.getUrlEncoder(), forms);
    }

    private static String decoded(String secret) {
        try {
            return URLDecoder.decode(secret.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return secret; // a per cent sign that begins no code
        }
    }

    private static String inJson(String secret) {
        return secret.replace("\\", "\\\\")
                .replace("\"", "\\\"")
                .replace("\n", "\\n")
                .replace("\r", "\\r")
                .replace("\t", "\\t");
    }

    /** A secret in the middle of something encoded, such as user and password, begins at one of three places. */
    private static void addBase64(String secret, Base64.Encoder encoder, Set<String> forms) {
        byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
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
}
