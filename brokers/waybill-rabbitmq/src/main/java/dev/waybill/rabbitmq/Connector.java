package dev.waybill.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.impl.ForgivingExceptionHandler;
import dev.waybill.spi.TrustedCertificates;
import dev.waybill.spi.Untraced;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens connections with the given options. Without automatic recovery, because messages in flight must be reported first. */
record Connector(RabbitOptions options) {
    private static final Logger log = LoggerFactory.getLogger(Connector.class);
    private static final int HEARTBEAT_SECONDS = 10;

    /**
     * @param socket receives the socket before it is connected: closing it ends a connection that is stuck
     */
    Connection connect(Consumer<Socket> socket) throws IOException, TimeoutException, GeneralSecurityException {
        return factory(socket).newConnection("waybill");
    }

    private ConnectionFactory factory(Consumer<Socket> socket) throws GeneralSecurityException, IOException {
        ConnectionFactory factory = factory();
        factory.setSocketConfigurator(factory.getSocketConfigurator().andThen(socket::accept));
        factory.setExceptionHandler(new QuietAboutConnections());
        return factory;
    }

    ConnectionFactory factory() throws GeneralSecurityException, IOException {
        BrokerAddress address = options.address();
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost(address.host());
        factory.setPort(address.port());
        factory.setVirtualHost(address.virtualHost());
        factory.setUsername(
                options.credentials().map(RabbitOptions.Credentials::user).orElse(address.user()));
        factory.setPassword(
                options.credentials().map(RabbitOptions.Credentials::password).orElse(address.password()));
        int timeout = Math.toIntExact(options.connectTimeout().toMillis());
        factory.setConnectionTimeout(timeout);
        factory.setHandshakeTimeout(timeout);
        factory.setChannelRpcTimeout(timeout);
        factory.setRequestedHeartbeat(HEARTBEAT_SECONDS);
        factory.setAutomaticRecoveryEnabled(false);
        factory.setThreadFactory(task -> {
            Thread thread = new Thread(Untraced.task(task), "waybill-rabbitmq-connection");
            thread.setDaemon(true);
            return thread;
        });
        if (address.tls()) {
            factory.useSslProtocol(sslContext());
            factory.enableHostnameVerification();
        }
        return factory;
    }

    /** Lost connections are reported with the outcomes of the messages, so they are not logged as errors. */
    private static final class QuietAboutConnections extends ForgivingExceptionHandler {
        @Override
        public void handleUnexpectedConnectionDriverException(Connection connection, Throwable error) {
            log.debug("The connection to RabbitMQ ended: {}", error.toString());
        }

        @Override
        public void handleConfirmListenerException(Channel channel, Throwable error) {
            endAfterDefect(channel, error);
        }

        @Override
        public void handleReturnListenerException(Channel channel, Throwable error) {
            endAfterDefect(channel, error);
        }

        /** Otherwise the messages concerned would never be answered. */
        private static void endAfterDefect(Channel channel, Throwable error) {
            log.error(
                    "A defect in handling RabbitMQ's answers ends the connection; messages in flight are sent again.",
                    error);
            channel.getConnection().abort(0);
        }
    }

    private SSLContext sslContext() throws GeneralSecurityException, IOException {
        @Nullable RabbitTls tls = options.tls().orElse(null);
        if (tls == null) {
            return SSLContext.getDefault();
        }
        if (tls.context().isPresent()) {
            return tls.context().get().get();
        }
        KeyManager @Nullable [] keys =
                tls.keyStore().isPresent() ? keyManagers(tls.keyStore().get(), tls.keyStorePassword()) : null;
        TrustManager @Nullable [] trust = tls.trustedCertificates().isPresent()
                ? TrustedCertificates.in(
                        Files.readAllBytes(tls.trustedCertificates().get()))
                : null;
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys, trust, null);
        return context;
    }

    private static KeyManager[] keyManagers(Path file, String password) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream input = Files.newInputStream(file)) {
            store.load(input, password.toCharArray());
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, password.toCharArray());
        return keys.getKeyManagers();
    }
}
