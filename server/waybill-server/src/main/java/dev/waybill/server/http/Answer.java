package dev.waybill.server.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The answer to a request.
 *
 * @param status code and phrase
 * @param body shared between answers, so it must not change
 * @param headers further headers; names and values without line breaks
 */
public record Answer(String status, String contentType, byte[] body, Map<String, String> headers) implements Outcome {
    private static final String TEXT = "text/plain; charset=utf-8";

    public Answer {
        headers = Map.copyOf(headers);
        headers.forEach((name, value) -> {
            if ((name + value).chars().anyMatch(Character::isISOControl)) {
                throw new IllegalArgumentException(
                        "The header " + name.length() + " characters long has a line break.");
            }
        });
    }

    public Answer(String status, String contentType, byte[] body) {
        this(status, contentType, body, Map.of());
    }

    /** One line of text. */
    public static Answer line(String status, String words) {
        return new Answer(status, TEXT, (words + "\n").getBytes(StandardCharsets.UTF_8));
    }

    public static Answer ok(String contentType, byte[] body) {
        return new Answer("200 OK", contentType, body);
    }

    public Answer with(Map<String, String> more) {
        Map<String, String> all = new LinkedHashMap<>(headers);
        all.putAll(more);
        return new Answer(status, contentType, body, all);
    }

    public int code() {
        return Integer.parseInt(status.substring(0, 3));
    }

    /** The complete response, which closes the connection: its head, then its body, which is not copied. */
    ByteBuffer[] bytes(boolean withBody) {
        String head = Head.of(status, contentType, headers) + "Content-Length: " + body.length + "\r\n\r\n";
        ByteBuffer headBytes = ByteBuffer.wrap(head.getBytes(StandardCharsets.ISO_8859_1));
        return withBody
                ? new ByteBuffer[] {headBytes, ByteBuffer.wrap(body).asReadOnlyBuffer()}
                : new ByteBuffer[] {headBytes};
    }
}
