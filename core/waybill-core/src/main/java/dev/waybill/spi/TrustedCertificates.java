package dev.waybill.spi;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** Trusted certificate authorities that replace those of the Java runtime. */
public final class TrustedCertificates {
    private TrustedCertificates() {}

    /**
     * @param pem content of a PEM file with certificates
     * @throws GeneralSecurityException if it contains none, or an invalid one
     */
    public static TrustManager[] in(byte[] pem) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (InputStream input = new ByteArrayInputStream(pem)) {
            int number = 0;
            for (Certificate certificate :
                    CertificateFactory.getInstance("X.509").generateCertificates(input)) {
                store.setCertificateEntry("trusted-" + number++, certificate);
            }
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        return trust.getTrustManagers();
    }
}
