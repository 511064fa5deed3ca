package dev.waybill.server.access;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/** A password that cannot be read: {@code pbkdf2-sha512:iterations:salt:hash}, in base64. */
public final class PasswordHash {
    private static final String KIND = "pbkdf2-sha512";
    private static final int ITERATIONS = 210_000;
    private static final int FEWEST_ITERATIONS = 10_000;
    private static final int MOST_ITERATIONS = 10_000_000;
    private static final int SALT_BYTES = 16;
    private static final int HASH_BYTES = 32;
    private static final Pattern FORM =
            Pattern.compile(KIND + ":(\\d{1,8}):([A-Za-z0-9+/]{22,100}={0,2}):([A-Za-z0-9+/]{43}=)");

    private final int iterations;
    private final byte[] salt;
    private final byte[] hash;

    private PasswordHash(int iterations, byte[] salt, byte[] hash) {
        this.iterations = iterations;
        this.salt = salt;
        this.hash = hash;
    }

    /** With a salt of its own. */
    public static PasswordHash make(String password) {
        byte[] salt = random(SALT_BYTES);
        return new PasswordHash(ITERATIONS, salt, derive(password, salt, ITERATIONS));
    }

    /** A hash that no password matches. Checking a password against it takes as long as against any other. */
    static PasswordHash ofNobody() {
        return new PasswordHash(ITERATIONS, random(SALT_BYTES), random(HASH_BYTES));
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new SecureRandom().nextBytes(bytes);
        return bytes;
    }

    /** @throws IllegalArgumentException if it is not a hash; the message does not repeat it */
    public static PasswordHash parse(String text) {
        Matcher parts = FORM.matcher(text.strip());
        if (!parts.matches()) {
            throw new IllegalArgumentException(
                    "is not a password hash: waybill password makes one, which begins with " + KIND + ":");
        }
        int iterations = Integer.parseInt(parts.group(1));
        if (iterations < FEWEST_ITERATIONS || iterations > MOST_ITERATIONS) {
            throw new IllegalArgumentException("has " + iterations + " iterations: use " + FEWEST_ITERATIONS + " to "
                    + MOST_ITERATIONS + "; waybill password makes a hash of " + ITERATIONS);
        }
        return new PasswordHash(
                iterations,
                Base64.getDecoder().decode(parts.group(2)),
                Base64.getDecoder().decode(parts.group(3)));
    }

    public boolean matches(String password) {
        return MessageDigest.isEqual(hash, derive(password, salt, iterations));
    }

    private static byte[] derive(String password, byte[] salt, int iterations) {
        PBEKeySpec key = new PBEKeySpec(password.toCharArray(), salt, iterations, HASH_BYTES * Byte.SIZE);
        try {
            return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA512")
                    .generateSecret(key)
                    .getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This Java runtime has no PBKDF2.", e);
        } finally {
            key.clearPassword();
        }
    }

    /** For the configuration. */
    public String text() {
        return KIND + ":" + iterations + ":" + Base64.getEncoder().encodeToString(salt) + ":"
                + Base64.getEncoder().encodeToString(hash);
    }

    /** Without the hash. */
    @Override
    public String toString() {
        return "PasswordHash[" + KIND + "]";
    }
}
