package dev.waybill.rabbitmq;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Trusted certificates, and the client's own. The files are read for every connection, so a renewed certificate needs no restart.
 *
 * @param trustedCertificates a PEM file with trusted authorities, instead of those of the machine
 * @param keyStore a PKCS#12 file with the client's certificate and key, if the broker asks for them
 * @param keyStorePassword of the key store
 */
public record RabbitTls(Optional<Path> trustedCertificates, Optional<Path> keyStore, String keyStorePassword) {

    public static RabbitTls trusting(Path certificates) {
        return new RabbitTls(Optional.of(certificates), Optional.empty(), "");
    }

    public RabbitTls withKeyStore(Path file, String password) {
        return new RabbitTls(trustedCertificates, Optional.of(file), password);
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "RabbitTls[trusting " + trustedCertificates.map(Path::toString).orElse("the machine's own")
                + keyStore.map(file -> ", key store " + file).orElse("") + "]";
    }
}
