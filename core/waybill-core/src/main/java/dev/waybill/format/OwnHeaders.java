package dev.waybill.format;

import dev.waybill.spi.OutboundMessage.Header;
import dev.waybill.spi.ReservedHeaders;
import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.json.JsonMapper;

/** The headers that an application set on its event. Events without headers are not parsed. */
final class OwnHeaders {
    private static final OwnHeaders NONE = new OwnHeaders(List.of());
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private final List<Header> headers;

    private OwnHeaders(List<Header> headers) {
        this.headers = headers;
    }

    static OwnHeaders of(StoredEvent event) {
        Utf8 json = event.headersJson();
        return json == null ? NONE : of(event.id(), json);
    }

    /** @param eventId for error messages */
    static OwnHeaders of(Object eventId, Utf8 json) {
        return new OwnHeaders(parse(eventId, json));
    }

    boolean isEmpty() {
        return headers.isEmpty();
    }

    Optional<byte[]> find(String name) {
        for (Header header : headers) {
            if (header.name().equals(name)) {
                return Optional.of(header.value());
            }
        }
        return Optional.empty();
    }

    /** The headers of the message: those of the style, then the event's own. */
    List<Header> onMessage(StoredEvent event, String contentType, HeaderStyle style) {
        List<Header> about = style.about(event, contentType);
        if (headers.isEmpty()) {
            return about;
        }
        List<Header> all = new ArrayList<>(about.size() + headers.size());
        all.addAll(about);
        for (Header header : headers) {
            if (about.stream().noneMatch(known -> known.name().equals(header.name()))) {
                all.add(header);
            }
        }
        return Collections.unmodifiableList(all);
    }

    private static List<Header> parse(Object eventId, Utf8 json) {
        List<Header> headers = new ArrayList<>();
        try (JsonParser parser = MAPPER.createParser(json.bytes())) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw unreadable(eventId, "are not a JSON object");
            }
            for (String name = parser.nextName(); name != null; name = parser.nextName()) {
                JsonToken value = parser.nextToken();
                if (value.isStructStart()) {
                    throw unreadable(eventId, "have an object or a list under \"" + name + "\"");
                }
                if (value != JsonToken.VALUE_NULL && !ReservedHeaders.contains(name)) {
                    headers.add(header(name, parser.getString()));
                }
            }
        } catch (JacksonException e) {
            throw unreadable(eventId, "are not JSON" + JsonMembers.place(e));
        }
        return headers;
    }

    private static Header header(String name, String value) {
        return new Header(name, value.getBytes(StandardCharsets.UTF_8));
    }

    /** Without the parser's exception, which quotes the text. The text may be personal data. */
    private static FormatException unreadable(Object eventId, String why) {
        return new FormatException("The headers of event " + eventId + " " + why
                + ": store a JSON object of strings, or no headers at all.");
    }
}
