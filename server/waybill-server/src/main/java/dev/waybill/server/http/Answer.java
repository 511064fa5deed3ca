package dev.waybill.server.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The answer to a request.
 *
 * @param status code and phrase
 * @param body shared between answers, so it must not change
 */
public record Answer(String status, String contentType, byte[] body) {
    private static final String TEXT = "text/plain; charset=utf-8";

    /** One line of text. */
    public static Answer line(String status, String words) {
        return new Answer(status, TEXT, (words + "\n").getBytes(StandardCharsets.UTF_8));
    }

    public static Answer ok(String contentType, byte[] body) {
        return new Answer("200 OK", contentType, body);
    }

    /** The complete response, which closes the connection: its head, then its body, which is not copied. */
    ByteBuffer[] bytes(boolean withBody) {
        String head = "HTTP/1.1 " + status + "\r\nContent-Type: " + contentType + "\r\nContent-Length: " + body.length
                + "\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n";
        ByteBuffer headBytes = ByteBuffer.wrap(head.getBytes(StandardCharsets.US_ASCII));
        return withBody
                ? new ByteBuffer[] {headBytes, ByteBuffer.wrap(body).asReadOnlyBuffer()}
                : new ByteBuffer[] {headBytes};
    }
}
