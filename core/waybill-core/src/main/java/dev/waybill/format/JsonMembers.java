package dev.waybill.format;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.json.JsonMapper;

/** The members of one JSON object, as their original bytes. */
final class JsonMembers {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    /** Deeper than {@link #isJson} accepts, because accepted values can be members of an object that is read here. */
    private static final int DEEPEST = 2 * StreamReadConstraints.DEFAULT_MAX_DEPTH;

    private static final JsonMapper DEEP_MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(DEEPEST)
                            .build())
                    .build())
            .build();

    /** Number of bytes from which Jackson detects an encoding. */
    private static final int GUESSED_FROM = 4;

    private static final char BYTE_ORDER_MARK = '\ufeff';
    /** Characters decoded at a time, to avoid a copy of the whole message. */
    private static final int PIECE = 8_192;

    private final byte[] json;
    private final Map<String, Member> members;

    /** Position of a member's value, and its text if it is a string or a number. */
    private record Member(int from, int to, Optional<String> text) {}

    private JsonMembers(byte[] json, Map<String, Member> members) {
        this.json = json;
        this.members = members;
    }

    /**
     * @throws MalformedMessageException if it is not one JSON object
     */
    static JsonMembers of(byte[] json) {
        if (!isUtf8(json)) {
            throw new MalformedMessageException(
                    "The message (" + json.length + " bytes) is not JSON in UTF-8 without a byte order mark.");
        }
        Map<String, Member> members = new HashMap<>();
        try (JsonParser parser = DEEP_MAPPER.createParser(json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new MalformedMessageException("The message is not a JSON object.");
            }
            for (String name = parser.nextName(); name != null; name = parser.nextName()) {
                if (members.put(name, member(parser)) != null) {
                    throw new MalformedMessageException("The message has two members of the same name (after "
                            + members.size() + " members), which is ambiguous.");
                }
            }
            if (parser.nextToken() != null) {
                throw new MalformedMessageException("The message has more text after its JSON object.");
            }
        } catch (JacksonException e) {
            throw new MalformedMessageException(
                    "The message is not JSON" + place(e) + " (" + e.getClass().getSimpleName() + ").");
        }
        return new JsonMembers(json, members);
    }

    /** Not every exception has a location. */
    static String place(JacksonException e) {
        return e.getLocation() == null ? "" : ", from byte " + e.getLocation().getByteOffset() + " on";
    }

    /**
     * Checked before Jackson parses the bytes: it detects the encoding from the first four, accepts UTF-16, UTF-32 and byte order
     * marks, and skips invalid UTF-8 in strings that are not read.
     */
    private static boolean isUtf8(byte[] json) {
        for (int i = 0; i < Math.min(GUESSED_FROM, json.length); i++) {
            if (json[i] == 0) {
                return false;
            }
        }
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        ByteBuffer in = ByteBuffer.wrap(json);
        CharBuffer piece = CharBuffer.allocate(Math.min(PIECE, json.length + 1));
        boolean first = true;
        CoderResult result;
        do {
            result = decoder.decode(in, piece.clear(), true);
            if (first && piece.position() > 0 && piece.get(0) == BYTE_ORDER_MARK) {
                return false;
            }
            first = false;
        } while (result.isOverflow());
        return !result.isError();
    }

    static boolean isJson(byte[] bytes) {
        if (!isUtf8(bytes)) {
            return false;
        }
        try (JsonParser parser = MAPPER.createParser(bytes)) {
            if (parser.nextToken() == null) {
                return false;
            }
            parser.skipChildren();
            // Jackson checks a top-level string or number only when its value is read.
            parser.getString();
            return parser.nextToken() == null;
        } catch (JacksonException e) {
            return false;
        }
    }

    private static Member member(JsonParser parser) {
        JsonToken value = parser.nextToken();
        int from = Math.toIntExact(parser.currentTokenLocation().getByteOffset());
        Optional<String> text = value == JsonToken.VALUE_STRING || value.isNumeric()
                ? Optional.of(parser.getString())
                : Optional.empty();
        parser.skipChildren();
        parser.finishToken();
        return new Member(from, Math.toIntExact(parser.currentLocation().getByteOffset()), text);
    }

    Optional<String> text(String name) {
        return Optional.ofNullable(members.get(name)).flatMap(Member::text);
    }

    String requiredText(String name) {
        return text(name)
                .filter(text -> !text.isBlank())
                .orElseThrow(() ->
                        new MalformedMessageException("The message has no " + name + " that is a string or a number."));
    }

    byte[] required(String name) {
        return value(name).orElseThrow(() -> new MalformedMessageException("The message has no " + name + "."));
    }

    Optional<byte[]> value(String name) {
        return Optional.ofNullable(members.get(name))
                .map(member -> Arrays.copyOfRange(json, member.from(), member.to()));
    }
}
