package dev.waybill.server.api;

import dev.waybill.server.access.RefusedException;
import dev.waybill.server.http.Answer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Makes answers, with the headers that protect browsers. */
final class Answers {
    /** For every answer of the API and the console. */
    static final Map<String, String> HEADERS = Map.of(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none';"
                    + " form-action 'none'; frame-ancestors 'none'",
            "Referrer-Policy",
            "no-referrer",
            "X-Frame-Options",
            "DENY",
            "Cross-Origin-Opener-Policy",
            "same-origin",
            "Cross-Origin-Resource-Policy",
            "same-origin");

    private static final String TYPE = "application/json; charset=utf-8";

    private final Json json;

    Answers(Json json) {
        this.json = json;
    }

    Answer json(Obj value) {
        return json("200 OK", value);
    }

    String line(Obj value) {
        return json.write(value);
    }

    private Answer json(String status, Obj value) {
        return new Answer(status, TYPE, json.write(value).getBytes(StandardCharsets.UTF_8), HEADERS);
    }

    Answer refused(RefusedException why) {
        Map<String, String> more = new LinkedHashMap<>();
        why.retrySeconds().ifPresent(seconds -> more.put("Retry-After", Integer.toString(seconds)));
        return error(why.status(), why.code(), why.words()).with(more);
    }

    Answer error(String status, String code, String words) {
        return json(status, new Obj().text("error", words).text("code", code));
    }
}
