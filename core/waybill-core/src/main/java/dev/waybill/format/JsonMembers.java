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

/** The members of one JSON object, as the bytes they are written in. */
final class JsonMembers {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    /** Whatever {@link #isJson} takes may be a member of something that is read here: nothing may be too deep only then. */
    private static final int DEEPEST = 2 * StreamReadConstraints.DEFAULT_MAX_DEPTH;

    private static final JsonMapper DEEP_MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(DEEPEST)
                            .build())
                    .build())
            .build();

    /** So many bytes Jackson looks at to guess an encoding. */
    private static final int GUESSED_FROM = 4;

    private static final char BYTE_ORDER_MARK = '\ufeff';
    /** So many characters are decoded at a time, instead of a copy of a whole message. */
    private static final int PIECE = 8_192;

    private final byte[] json;
    private final Map<String, Member> members;

    /** Where a member's value stands, and its text when it is a string or a number. */
    private record Member(int from, int to, Optional<String> text) {}

    private JsonMembers(byte[] json, Map<String, Member> members) {
        this.json = json;
        this.members = members;
    }

    /**
     * @throws MalformedMessageException when it is not one JSON object
     */
    static JsonMembers of(byte[] json) {
        if (!isUtf8(json)) {
            throw new MalformedMessageException(
                    "The message is not UTF-8 without a byte order mark, as JSON is sent (" + json.length + " bytes).");
        }
        Map<String, Member> members = new HashMap<>();
        try (JsonParser parser = DEEP_MAPPER.createParser(json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new MalformedMessageException("The message is not a JSON object.");
            }
            for (String name = parser.nextName(); name != null; name = parser.nextName()) {
                if (members.put(name, member(parser)) != null) {
                    throw new MalformedMessageException("The message has two members of one name (" + members.size()
                            + " members up to there): nobody could tell which of them counts.");
                }
            }
            if (parser.nextToken() != null) {
                throw new MalformedMessageException("Something follows the message's JSON object.");
            }
        } catch (JacksonException e) {
            throw new MalformedMessageException(
                    "The message is not JSON" + place(e) + " (" + e.getClass().getSimpleName() + ").");
        }
        return new JsonMembers(json, members);
    }

    /** Not every exception knows where it happened. */
    private static String place(JacksonException e) {
        return e.getLocation() == null ? "" : ", from byte " + e.getLocation().getByteOffset() + " on";
    }

    /**
     * Asked before Jackson sees the bytes: it guesses their encoding from the first four, would take UTF-16, UTF-32 and byte
     * order marks, and would pass over what is not UTF-8 in strings that nobody asks for.
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
            // The bytes of a bare string or number are looked at only when their value is asked for.
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
                .orElseThrow(() -> new MalformedMessageException(
                        "The message has no " + name + ", or not as a string or number."));
    }

    byte[] required(String name) {
        return value(name).orElseThrow(() -> new MalformedMessageException("The message has no " + name + "."));
    }

    Optional<byte[]> value(String name) {
        return Optional.ofNullable(members.get(name))
                .map(member -> Arrays.copyOfRange(json, member.from(), member.to()));
    }
}
