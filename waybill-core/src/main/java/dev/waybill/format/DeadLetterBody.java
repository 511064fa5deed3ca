package dev.waybill.format;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a dead letter says: the message that could not be handled, and why.
 *
 * @param eventId nothing when the message could not be read
 * @param original the body of the message, in its own bytes
 * @param errorMessage at most {@value #MAX_ERROR} characters of it are kept
 * @param consumerService who could not handle it
 */
public record DeadLetterBody(
        Optional<String> eventId, byte[] original, String errorMessage, Instant failedAt, String consumerService) {
    private static final int MAX_ERROR = 2_000;
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    public DeadLetterBody {
        int characters = errorMessage.codePointCount(0, errorMessage.length());
        errorMessage = errorMessage.substring(0, errorMessage.offsetByCodePoints(0, Math.min(MAX_ERROR, characters)));
    }

    /**
     * A JSON object with the original as {@code originalEvent}, byte for byte; or, when its event is not known or it is not
     * JSON, with its bytes in base64 as {@code originalBytes}.
     */
    public byte[] toJson() {
        boolean splice = eventId.isPresent() && JsonMembers.isJson(original);
        String id = "{\"eventId\":" + eventId.map(DeadLetterBody::quoted).orElse("null") + ",\"originalEvent\":";
        String base64 = splice
                ? ""
                : "null,\"originalBytes\":" + quoted(Base64.getEncoder().encodeToString(original));
        String rest = ",\"errorMessage\":" + quoted(errorMessage) + ",\"failedAt\":" + quoted(failedAt.toString())
                + ",\"consumerService\":" + quoted(consumerService) + "}";
        return Bytes.join(utf8(id), splice ? original : utf8(base64), utf8(rest));
    }

    /**
     * @throws MalformedMessageException when this is no dead letter
     */
    public static DeadLetterBody of(byte[] json) {
        JsonMembers members = JsonMembers.of(json);
        try {
            byte[] original = members.text("originalBytes").isPresent()
                    ? Base64.getDecoder().decode(members.requiredText("originalBytes"))
                    : members.required("originalEvent");
            return new DeadLetterBody(
                    members.text("eventId"),
                    original,
                    members.text("errorMessage").orElse(""),
                    Instant.parse(members.requiredText("failedAt")),
                    members.text("consumerService").orElse(""));
        } catch (DateTimeException | IllegalArgumentException e) {
            throw new MalformedMessageException(
                    "The dead letter has a failedAt that is no time, or originalBytes that are not base64.");
        }
    }

    /** Says how much it is and not what: that may be personal data. */
    @Override
    public String toString() {
        return "DeadLetterBody[" + eventId.orElse("unknown event") + ", " + original.length + " bytes]";
    }

    private static String quoted(String text) {
        return MAPPER.writeValueAsString(text);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
