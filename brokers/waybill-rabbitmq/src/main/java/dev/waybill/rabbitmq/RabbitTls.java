package dev.waybill.rabbitmq;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/**
 * Trusted certificates, and the client's own. The files are read for every connection, so a renewed certificate needs no restart.
 *
 * @param trustedCertificates a PEM file with trusted authorities, instead of those of the machine
 * @param keyStore a PKCS#12 file with the client's certificate and key, if the broker asks for them
 * @param keyStorePassword of the key store
 * @param context asked for every connection, instead of reading files
 */
public record RabbitTls(
        Optional<Path> trustedCertificates,
        Optional<Path> keyStore,
        String keyStorePassword,
        Optional<Supplier<SSLContext>> context) {

    public RabbitTls(Optional<Path> trustedCertificates, Optional<Path> keyStore, String keyStorePassword) {
        this(trustedCertificates, keyStore, keyStorePassword, Optional.empty());
    }

    public static RabbitTls trusting(Path certificates) {
        return new RabbitTls(Optional.of(certificates), Optional.empty(), "");
    }

    /** @param context called for every connection, so that renewed certificates need no restart */
    public static RabbitTls of(Supplier<SSLContext> context) {
        return new RabbitTls(Optional.empty(), Optional.empty(), "", Optional.of(context));
    }

    public RabbitTls withKeyStore(Path file, String password) {
        return new RabbitTls(trustedCertificates, Optional.of(file), password);
    }

    /** Without the password. */
    @Override
    public String toString() {
        if (context.isPresent()) {
            return "RabbitTls[as a context of the application says]";
        }
        return "RabbitTls[trusting " + trustedCertificates.map(Path::toString).orElse("the machine's own")
                + keyStore.map(file -> ", key store " + file).orElse("") + "]";
    }
}
