package dev.waybill.format;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The content of a dead letter: the message that could not be handled, and why.
 *
 * @param eventId empty if the message could not be read
 * @param original the unchanged body of the message; empty if it was left out
 * @param leftOut present if the message or its headers did not fit into the letter
 * @param head present if the key and headers of the message are in the body and not on the letter
 * @param errorMessage truncated to {@value #MAX_ERROR} characters
 * @param consumerService the consumer that could not handle it
 */
public record DeadLetterBody(
        Optional<String> eventId,
        byte[] original,
        Optional<LeftOut> leftOut,
        Optional<MessageHead> head,
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

    /** A letter with the whole message. */
    public DeadLetterBody(
            Optional<String> eventId, byte[] original, String errorMessage, Instant failedAt, String consumerService) {
        this(eventId, original, Optional.empty(), Optional.empty(), errorMessage, failedAt, consumerService);
    }

    /** A copy with the message's position instead of the message. */
    public DeadLetterBody without(LeftOut message) {
        return new DeadLetterBody(
                eventId, NOTHING, Optional.of(message), Optional.empty(), errorMessage, failedAt, consumerService);
    }

    /** A copy that contains the key and headers of the message. */
    public DeadLetterBody with(MessageHead ofMessage) {
        return new DeadLetterBody(
                eventId, original, Optional.empty(), Optional.of(ofMessage), errorMessage, failedAt, consumerService);
    }

    /** A copy with the message's body but without its headers. */
    public DeadLetterBody withoutHeaders(LeftOut message) {
        return new DeadLetterBody(
                eventId, original, Optional.of(message), Optional.empty(), errorMessage, failedAt, consumerService);
    }

    /** Size of the message, whether or not it is in the letter. */
    public int bytes() {
        return leftOut.map(LeftOut::bytes).orElse(original.length);
    }

    /**
     * A JSON object with the unchanged original as {@code originalEvent}; or, if its event id is unknown or it is not JSON, in
     * base64 as {@code originalBytes}. If the message was left out, {@code originalPlace}, {@code originalSize} and {@code
     * originalSha256} replace it; if only its headers were left out, these three and {@code leftOutHeaders} are added. Key and
     * headers contained in the body are {@code originalHeaders}.
     */
    public byte[] toJson() {
        String id = "{\"eventId\":" + eventId.map(DeadLetterBody::quoted).orElse("null") + ",\"originalEvent\":";
        String rest = ",\"errorMessage\":" + quoted(errorMessage) + ",\"failedAt\":" + quoted(failedAt.toString())
                + ",\"consumerService\":" + quoted(consumerService) + "}";
        String besides = leftOut.map(DeadLetterBody::described).orElse("")
                + head.map(inside -> ",\"originalHeaders\":" + inside.toJson()).orElse("");
        return Bytes.join(utf8(id), hasMessage() ? kept() : utf8("null"), utf8(besides + rest));
    }

    /** Whether it contains the body of the message. */
    private boolean hasMessage() {
        return leftOut.isEmpty() || original.length > 0;
    }

    private byte[] kept() {
        return eventId.isPresent() && JsonMembers.isJson(original)
                ? original
                : utf8("null,\"originalBytes\":" + quoted(Base64.getEncoder().encodeToString(original)));
    }

    private static String described(LeftOut message) {
        String headers = message.headers().isEmpty()
                ? ""
                : ",\"leftOutHeaders\":" + MAPPER.writeValueAsString(message.headers());
        return ",\"originalPlace\":" + quoted(message.place()) + ",\"originalSize\":" + message.bytes()
                + ",\"originalSha256\":" + quoted(message.sha256()) + headers;
    }

    /**
     * @throws MalformedMessageException if this is not a dead letter
     */
    public static DeadLetterBody of(byte[] json) {
        JsonMembers members = JsonMembers.of(json);
        try {
            Optional<LeftOut> leftOut = leftOut(members);
            return new DeadLetterBody(
                    members.text("eventId"),
                    original(members, leftOut.isPresent()),
                    leftOut,
                    members.value("originalHeaders").map(MessageHead::of),
                    members.text("errorMessage").orElse(""),
                    Instant.parse(members.requiredText("failedAt")),
                    members.text("consumerService").orElse(""));
        } catch (DateTimeException | IllegalArgumentException e) {
            throw new MalformedMessageException(
                    "The dead letter has a failedAt that is not a time, originalBytes that are not base64, or an originalSize that"
                            + " is not a number.");
        }
    }

    private static byte[] original(JsonMembers members, boolean mayBeLeftOut) {
        Optional<String> bytes = members.text("originalBytes");
        if (bytes.isPresent()) {
            return Base64.getDecoder().decode(bytes.get());
        }
        byte[] original = members.required("originalEvent");
        return mayBeLeftOut && Arrays.equals(original, utf8("null")) ? NOTHING : original;
    }

    private static Optional<LeftOut> leftOut(JsonMembers members) {
        return members.text("originalPlace")
                .map(place -> new LeftOut(
                        place,
                        Integer.parseInt(members.requiredText("originalSize")),
                        members.requiredText("originalSha256"),
                        members.value("leftOutHeaders")
                                .map(DeadLetterBody::names)
                                .orElse(List.of())));
    }

    private static List<String> names(byte[] json) {
        try {
            return List.of(MAPPER.readValue(json, String[].class));
        } catch (JacksonException | NullPointerException e) {
            throw new MalformedMessageException("The dead letter's leftOutHeaders are not a list of names.");
        }
    }

    /** Without the contents, which may be personal data. */
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
