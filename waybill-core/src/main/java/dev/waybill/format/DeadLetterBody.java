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
 * @param original the body of the message, in its own bytes; empty when it was left out
 * @param leftOut given when the message did not fit into the letter
 * @param errorMessage at most {@value #MAX_ERROR} characters of it are kept
 * @param consumerService who could not handle it
 */
public record DeadLetterBody(
        Optional<String> eventId,
        byte[] original,
        Optional<LeftOut> leftOut,
        String errorMessage,
        Instant failedAt,
        String consumerService) {
    private static final int MAX_ERROR = 2_000;
    private static final byte[] NOTHING = {};
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    public DeadLetterBody {
        int characters = errorMessage.codePointCount(0, errorMessage.length());
        errorMessage = errorMessage.substring(0, errorMessage.offsetByCodePoints(0, Math.min(MAX_ERROR, characters)));
    }

    /** With the whole message in it. */
    public DeadLetterBody(
            Optional<String> eventId, byte[] original, String errorMessage, Instant failedAt, String consumerService) {
        this(eventId, original, Optional.empty(), errorMessage, failedAt, consumerService);
    }

    /** The same without the message, of which it says where it stands. */
    public DeadLetterBody without(LeftOut message) {
        return new DeadLetterBody(eventId, NOTHING, Optional.of(message), errorMessage, failedAt, consumerService);
    }

    /** How long the message is, in the letter or left out of it. */
    public int bytes() {
        return leftOut.map(LeftOut::bytes).orElse(original.length);
    }

    /**
     * A JSON object with the original as {@code originalEvent}, byte for byte; or, when its event is not known or it is not
     * JSON, with its bytes in base64 as {@code originalBytes}; or, when it was left out, with {@code originalPlace}, {@code
     * originalSize} and {@code originalSha256}.
     */
    public byte[] toJson() {
        String id = "{\"eventId\":" + eventId.map(DeadLetterBody::quoted).orElse("null") + ",\"originalEvent\":";
        String rest = ",\"errorMessage\":" + quoted(errorMessage) + ",\"failedAt\":" + quoted(failedAt.toString())
                + ",\"consumerService\":" + quoted(consumerService) + "}";
        return Bytes.join(utf8(id), leftOut.map(DeadLetterBody::described).orElseGet(this::kept), utf8(rest));
    }

    private byte[] kept() {
        return eventId.isPresent() && JsonMembers.isJson(original)
                ? original
                : utf8("null,\"originalBytes\":" + quoted(Base64.getEncoder().encodeToString(original)));
    }

    private static byte[] described(LeftOut message) {
        return utf8("null,\"originalPlace\":" + quoted(message.place()) + ",\"originalSize\":" + message.bytes()
                + ",\"originalSha256\":" + quoted(message.sha256()));
    }

    /**
     * @throws MalformedMessageException when this is no dead letter
     */
    public static DeadLetterBody of(byte[] json) {
        JsonMembers members = JsonMembers.of(json);
        try {
            DeadLetterBody whole = new DeadLetterBody(
                    members.text("eventId"),
                    NOTHING,
                    members.text("errorMessage").orElse(""),
                    Instant.parse(members.requiredText("failedAt")),
                    members.text("consumerService").orElse(""));
            Optional<String> place = members.text("originalPlace");
            return place.isPresent()
                    ? whole.without(new LeftOut(
                            place.get(),
                            Integer.parseInt(members.requiredText("originalSize")),
                            members.requiredText("originalSha256")))
                    : whole.with(original(members));
        } catch (DateTimeException | IllegalArgumentException e) {
            throw new MalformedMessageException(
                    "The dead letter has a failedAt that is no time, originalBytes that are not base64, or an originalSize that"
                            + " is no number.");
        }
    }

    private static byte[] original(JsonMembers members) {
        return members.text("originalBytes").isPresent()
                ? Base64.getDecoder().decode(members.requiredText("originalBytes"))
                : members.required("originalEvent");
    }

    private DeadLetterBody with(byte[] message) {
        return new DeadLetterBody(eventId, message, errorMessage, failedAt, consumerService);
    }

    /** Says how much it is and not what: that may be personal data. */
    @Override
    public String toString() {
        return "DeadLetterBody[" + eventId.orElse("unknown event") + ", " + bytes() + " bytes]";
    }

    private static String quoted(String text) {
        return MAPPER.writeValueAsString(text);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
