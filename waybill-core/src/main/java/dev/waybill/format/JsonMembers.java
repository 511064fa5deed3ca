package dev.waybill.format;

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

    static boolean isJson(byte[] bytes) {
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
        Member member = members.get(name);
        if (member == null) {
            throw new MalformedMessageException("The message has no " + name + ".");
        }
        return Arrays.copyOfRange(json, member.from(), member.to());
    }
}
