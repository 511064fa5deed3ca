package dev.waybill.server.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The answer of {@code /health} or {@code /ready}.
 *
 * @param status code and phrase
 */
record HealthAnswer(String status, String words) {

    /** The complete response, which closes the connection. */
    ByteBuffer bytes(boolean withBody) {
        byte[] body = (words + "\n").getBytes(StandardCharsets.UTF_8);
        String head = "HTTP/1.1 " + status + "\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: "
                + body.length
                + "\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n";
        byte[] headBytes = head.getBytes(StandardCharsets.US_ASCII);
        ByteBuffer all = ByteBuffer.allocate(headBytes.length + (withBody ? body.length : 0));
        all.put(headBytes);
        if (withBody) {
            all.put(body);
        }
        return all.flip();
    }
}
