package dev.waybill.server.http;

import java.net.InetAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A complete request.
 *
 * @param path as sent, without the query; begins with a slash
 * @param query the first value of each parameter, decoded
 * @param headers by name in lower case; of several with one name, all values with commas between
 * @param repeated names of headers that occurred more than once, in lower case
 * @param from the address of the other end of the connection
 */
public record Request(
        String method,
        String path,
        Map<String, String> query,
        Map<String, String> headers,
        Set<String> repeated,
        byte[] body,
        InetAddress from) {

    public Optional<String> header(String lowerCaseName) {
        return Optional.ofNullable(headers.get(lowerCaseName));
    }

    /** The value of a cookie. */
    public Optional<String> cookie(String name) {
        for (String each : header("cookie").orElse("").split(";", -1)) {
            String[] parts = each.strip().split("=", 2);
            if (parts.length == 2 && parts[0].equals(name)) {
                return Optional.of(parts[1]);
            }
        }
        return Optional.empty();
    }

    Request with(byte[] read) {
        return new Request(method, path, query, headers, repeated, read, from);
    }

    /** @throws MalformedRequestException if it is not encoded as an address must be */
    public static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new MalformedRequestException("400 Bad Request", "The address is not encoded correctly.");
        }
    }

    static Map<String, String> queryOf(String text) {
        Map<String, String> query = new LinkedHashMap<>();
        if (!text.isEmpty()) {
            for (String each : text.split("&", -1)) {
                String[] parts = each.split("=", 2);
                query.putIfAbsent(decoded(parts[0]), parts.length == 2 ? decoded(parts[1]) : "");
            }
        }
        return query;
    }
}
