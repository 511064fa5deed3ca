package dev.waybill.server.http;

import java.util.Map;

/** The head of a response. */
final class Head {
    private Head() {}

    /** Without the empty line at its end. The connection closes after every response. */
    static String of(String status, String contentType, Map<String, String> headers) {
        StringBuilder head = new StringBuilder("HTTP/1.1 ")
                .append(status)
                .append("\r\nContent-Type: ")
                .append(contentType)
                .append("\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n");
        if (!headers.containsKey("Cache-Control")) {
            head.append("Cache-Control: no-store\r\n");
        }
        headers.forEach(
                (name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        return head.toString();
    }
}
