package dev.waybill.rabbitmq;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parts of the uri. {@link #toString()} leaves out the credentials.
 *
 * @param user default: {@code guest}
 */
record BrokerAddress(boolean tls, String host, int port, String virtualHost, String user, String password) {
    private static final int PORT = 5672;
    private static final int TLS_PORT = 5671;
    private static final String FORM = ": write amqp://user:password@host:5672/vhost";

    /** The problems of the uri, without quoting it, because it may contain a password. */
    static List<String> problemsOf(String uri) {
        try {
            URI parsed = new URI(uri);
            if (!"amqp".equals(parsed.getScheme()) && !"amqps".equals(parsed.getScheme())) {
                return List.of("the uri does not begin with amqp:// or amqps://" + FORM);
            }
            if (parsed.getHost() == null) {
                return List.of("the uri names no host" + FORM);
            }
            if (parsed.getRawQuery() != null || parsed.getRawFragment() != null) {
                return List.of(
                        "the uri contains ? or #: options are set separately, and in a password write %3F or %23");
            }
            String path = parsed.getRawPath();
            if (path.indexOf('/', 1) > 0) {
                return List.of("the uri has more than one / after the host: in a vhost's name write %2F");
            }
            parse(uri);
            return List.of();
        } catch (URISyntaxException e) {
            return List.of("the uri cannot be read at character " + e.getIndex() + FORM);
        } catch (IllegalArgumentException e) {
            return List.of("the uri has a % that does not start a code such as %2F" + FORM);
        }
    }

    /** Parses a uri without problems. */
    static BrokerAddress parse(String uri) {
        URI parsed = URI.create(uri);
        boolean tls = "amqps".equals(parsed.getScheme());
        int port = parsed.getPort() < 0 ? (tls ? TLS_PORT : PORT) : parsed.getPort();
        String path = parsed.getRawPath();
        String virtualHost = path.length() <= 1 ? "/" : decoded(path.substring(1));
        String[] who = credentials(parsed.getRawUserInfo());
        return new BrokerAddress(tls, parsed.getHost(), port, virtualHost, who[0], who[1]);
    }

    private static String[] credentials(@Nullable String userInfo) {
        if (userInfo == null) {
            return new String[] {"guest", "guest"};
        }
        int colon = userInfo.indexOf(':');
        return colon < 0
                ? new String[] {decoded(userInfo), ""}
                : new String[] {decoded(userInfo.substring(0, colon)), decoded(userInfo.substring(colon + 1))};
    }

    /** Unlike URLDecoder, does not decode +. */
    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return host + ":" + port + (virtualHost.equals("/") ? "" : " vhost " + virtualHost);
    }
}
