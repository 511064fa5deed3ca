package dev.waybill.spi;

import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;

/** Exceptions of the JDK for a host that is unreachable or does not answer in time. */
final class NetworkFailure {
    /** By name, because its module is not in every runtime. */
    private static final Set<String> BY_NAME =
            Set.of("java.net.http.HttpTimeoutException", "java.net.http.HttpConnectTimeoutException");

    private NetworkFailure() {}

    static boolean isOne(Throwable thrown) {
        return thrown instanceof SocketException
                || thrown instanceof SocketTimeoutException
                || thrown instanceof UnknownHostException
                || thrown instanceof UnresolvedAddressException
                || thrown instanceof ClosedChannelException
                || thrown instanceof SSLException
                || thrown instanceof TimeoutException
                || BY_NAME.contains(thrown.getClass().getName());
    }
}
