package dev.waybill.server.http;

import java.net.InetAddress;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads the head of a request. A connection carries one request, so what follows it is never taken for another one.
 *
 * @param bodyLength bytes of the body that follow
 */
record RequestHead(Request request, int bodyLength) {
    /** The longest body. */
    static final int LONGEST_BODY = 1_048_576;

    private static final int MOST_HEADERS = 100;
    private static final int DELETE = 0x7F;
    private static final Pattern METHOD = Pattern.compile("[A-Z]{1,10}");
    /** Printable ASCII without spaces and fragments. */
    private static final Pattern TARGET = Pattern.compile("/[!-~&&[^#]]*");

    private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}");
    private static final Pattern LENGTH = Pattern.compile("\\d{1,10}");

    /**
     * @param lines the request line and the headers
     * @throws MalformedRequestException if it cannot be served
     */
    static RequestHead of(List<String> lines, InetAddress from) {
        String[] parts = lines.isEmpty() ? new String[0] : lines.get(0).split(" ", -1);
        if (parts.length != 3
                || !parts[2].startsWith("HTTP/1.")
                || !METHOD.matcher(parts[0]).matches()
                || !TARGET.matcher(parts[1]).matches()) {
            throw bad("This is HTTP/1.1.");
        }
        Set<String> repeated = new HashSet<>();
        Map<String, String> headers = headers(lines.subList(1, lines.size()), repeated);
        int mark = parts[1].indexOf('?');
        Request request = new Request(
                parts[0],
                mark < 0 ? parts[1] : parts[1].substring(0, mark),
                mark < 0 ? Map.of() : Request.queryOf(parts[1].substring(mark + 1)),
                headers,
                repeated,
                new byte[0],
                from);
        return new RequestHead(request, length(headers));
    }

    /** Whether the client sends the body only after it was told to continue. */
    boolean waitsForLeave() {
        return bodyLength > 0
                && request.header("expect")
                        .filter("100-continue"::equalsIgnoreCase)
                        .isPresent();
    }

    private static Map<String, String> headers(List<String> lines, Set<String> repeated) {
        if (lines.size() > MOST_HEADERS) {
            throw new MalformedRequestException("431 Request Header Fields Too Large", "Too many headers.");
        }
        Map<String, String> headers = new LinkedHashMap<>();
        for (String line : lines) {
            int colon = line.indexOf(':');
            if (colon < 0 || !NAME.matcher(line.substring(0, colon)).matches()) {
                throw bad("A header is malformed.");
            }
            String name = line.substring(0, colon).toLowerCase(java.util.Locale.ROOT);
            String value = line.substring(colon + 1);
            if (value.chars().anyMatch(RequestHead::isControl)) {
                throw bad("A header has control characters.");
            }
            value = value.strip();
            if (headers.containsKey(name)
                    && (name.equals("host") || name.equals("content-length") || name.equals("authorization"))) {
                throw bad("The header " + name + " occurs twice.");
            }
            if (headers.containsKey(name)) {
                repeated.add(name);
            }
            headers.merge(name, value, (one, other) -> one + (name.equals("cookie") ? "; " : ", ") + other);
        }
        return headers;
    }

    /** The bytes from 0x80 on are no control characters: they are parts of letters in UTF-8. */
    private static boolean isControl(int each) {
        return (each < ' ' && each != '\t') || each == DELETE;
    }

    private static int length(Map<String, String> headers) {
        if (headers.containsKey("transfer-encoding")) {
            throw new MalformedRequestException("411 Length Required", "Send the body with Content-Length.");
        }
        String length = headers.getOrDefault("content-length", "0");
        if (!LENGTH.matcher(length).matches()) {
            throw bad("The Content-Length is not a number.");
        }
        if (Long.parseLong(length) > LONGEST_BODY) {
            throw new MalformedRequestException(
                    "413 Content Too Large", "A body has at most " + LONGEST_BODY + " bytes.");
        }
        return Integer.parseInt(length);
    }

    private static MalformedRequestException bad(String why) {
        return new MalformedRequestException("400 Bad Request", why);
    }
}
