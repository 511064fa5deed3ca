package dev.waybill.embedded;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;

/**
 * Certificates for servers in tests, as PEM files: {@code good} and {@code expired} are issued by {@code ca} for 127.0.0.1 only, so
 * that {@code localhost} is a wrong name; {@code other-ca} issued none of them. They are created without the JDK's keytool, which
 * takes a second for each.
 */
public final class ServerCertificates {
    private static final byte[] SHA256_WITH_RSA =
            sequence(objectId(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b), tagged(0x05));
    private static final byte[] COMMON_NAME = objectId(0x55, 0x04, 0x03);
    private static final byte[] BASIC_CONSTRAINTS = objectId(0x55, 0x1d, 0x13);
    private static final byte[] ALTERNATIVE_NAMES = objectId(0x55, 0x1d, 0x11);
    private static final byte[] TRUE = tagged(0x01, new byte[] {(byte) 0xff});
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

    private final Path directory;
    private int serial;

    private ServerCertificates(Path directory) {
        this.directory = directory;
    }

    /** Creates them in a directory, readable for servers that run as another user. */
    public static ServerCertificates in(Path directory) {
        try {
            ServerCertificates made = new ServerCertificates(directory);
            KeyPair authority = newKey();
            KeyPair server = newKey();
            Instant now = Instant.now();
            Instant later = now.plus(Duration.ofDays(2));
            byte[] names = extension(ALTERNATIVE_NAMES, sequence(tagged(0x87, new byte[] {127, 0, 0, 1})));
            byte[] isAuthority = sequence(BASIC_CONSTRAINTS, TRUE, tagged(0x04, sequence(TRUE)));
            Validity valid = new Validity(now.minus(Duration.ofDays(1)), later);
            Validity past = new Validity(now.minus(Duration.ofDays(9)), now.minus(Duration.ofDays(2)));
            made.write(
                    "ca",
                    authority,
                    made.certificate("authority", authority, "authority", authority, valid, isAuthority));
            KeyPair other = newKey();
            made.write("other-ca", other, made.certificate("other", other, "other", other, valid, isAuthority));
            made.write("good", server, made.certificate("server", server, "authority", authority, valid, names));
            made.write("expired", server, made.certificate("server", server, "authority", authority, past, names));
            made.write("client", server, made.certificate("client", server, "authority", authority, valid, names));
            return made;
        } catch (GeneralSecurityException | IOException e) {
            throw new EmbeddedServerException("The certificates could not be created: " + e.getMessage(), e);
        }
    }

    private record Validity(Instant from, Instant until) {}

    public Path certificate(String name) {
        return directory.resolve(name + ".pem");
    }

    /** In PKCS#8, without a password. */
    public Path key(String name) {
        return directory.resolve(name + ".key");
    }

    public X509Certificate readCertificate(String name) {
        try (InputStream input = Files.newInputStream(certificate(name))) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(input);
        } catch (GeneralSecurityException | IOException e) {
            throw new EmbeddedServerException("The certificate " + name + " cannot be read: " + e.getMessage(), e);
        }
    }

    public PrivateKey readKey(String name) {
        try {
            String lines = Files.readString(key(name)).replaceAll("-----[A-Z ]+-----", "");
            return KeyFactory.getInstance("RSA")
                    .generatePrivate(
                            new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(lines)));
        } catch (GeneralSecurityException | IOException e) {
            throw new EmbeddedServerException("The key " + name + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static KeyPair newKey() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        return generator.generateKeyPair();
    }

    private byte[] certificate(
            String subject, KeyPair key, String issuer, KeyPair issuerKey, Validity validity, byte[] extension)
            throws GeneralSecurityException {
        byte[] body = sequence(
                tagged(0xa0, integer(2)),
                integer(++serial),
                SHA256_WITH_RSA,
                name(issuer),
                sequence(time(validity.from()), time(validity.until())),
                name(subject),
                key.getPublic().getEncoded(),
                tagged(0xa3, sequence(extension)));
        Signature signature = Signature.getInstance("SHA256withRSA");
        signature.initSign(issuerKey.getPrivate());
        signature.update(body);
        return sequence(body, SHA256_WITH_RSA, tagged(0x03, new byte[1], signature.sign()));
    }

    private void write(String name, KeyPair key, byte[] certificate) throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(certificate(name), pem("CERTIFICATE", certificate));
        Files.writeString(key(name), pem("PRIVATE KEY", key.getPrivate().getEncoded()));
        // PostgreSQL refuses a key that others can read.
        Files.setPosixFilePermissions(key(name), PosixFilePermissions.fromString("rw-------"));
    }

    private static String pem(String what, byte[] bytes) {
        String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return "-----BEGIN " + what + "-----\n" + lines + "\n-----END " + what + "-----\n";
    }

    private static byte[] extension(byte[] id, byte[] value) {
        return sequence(id, tagged(0x04, value));
    }

    private static byte[] name(String commonName) {
        return sequence(tagged(0x31, sequence(COMMON_NAME, tagged(0x0c, commonName.getBytes(StandardCharsets.UTF_8)))));
    }

    private static byte[] time(Instant time) {
        return tagged(0x17, TIME.format(time).getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] integer(int number) {
        return tagged(0x02, BigInteger.valueOf(number).toByteArray());
    }

    private static byte[] objectId(int... encoded) {
        byte[] bytes = new byte[encoded.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) encoded[i];
        }
        return tagged(0x06, bytes);
    }

    private static byte[] sequence(byte[]... parts) {
        return tagged(0x30, parts);
    }

    /** As DER: tag, length and parts. */
    private static byte[] tagged(int tag, byte[]... parts) {
        ByteArrayOutputStream value = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            value.writeBytes(part);
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write(tag);
        int length = value.size();
        if (length < 0x80) {
            all.write(length);
        } else {
            all.write(length < 0x100 ? 0x81 : 0x82);
            if (length >= 0x100) {
                all.write(length >> 8);
            }
            all.write(length);
        }
        all.writeBytes(value.toByteArray());
        return all.toByteArray();
    }
}
