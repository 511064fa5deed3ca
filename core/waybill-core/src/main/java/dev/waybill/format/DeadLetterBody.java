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
 * What a dead letter says: the message that could not be handled, and why.
 *
 * @param eventId nothing when the message could not be read
 * @param original the body of the message, in its own bytes; empty when it was left out
 * @param leftOut given when the message did not fit into the letter, or its headers did not
 * @param head given when key and headers of the message are in here and not on the letter
 * @param errorMessage at most {@value #MAX_ERROR} characters of it are kept
 * @param consumerService who could not handle it
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

    /** With the whole message in it. */
    public DeadLetterBody(
            Optional<String> eventId, byte[] original, String errorMessage, Instant failedAt, String consumerService) {
        this(eventId, original, Optional.empty(), Optional.empty(), errorMessage, failedAt, consumerService);
    }

    /** The same without the message, of which it says where it stands. */
    public DeadLetterBody without(LeftOut message) {
        return new DeadLetterBody(
                eventId, NOTHING, Optional.of(message), Optional.empty(), errorMessage, failedAt, consumerService);
    }

    /** The same with key and headers of the message in it. */
    public DeadLetterBody with(MessageHead ofMessage) {
        return new DeadLetterBody(
                eventId, original, Optional.empty(), Optional.of(ofMessage), errorMessage, failedAt, consumerService);
    }

    /** The same with the body of the message, but without its headers. */
    public DeadLetterBody withoutHeaders(LeftOut message) {
        return new DeadLetterBody(
                eventId, original, Optional.of(message), Optional.empty(), errorMessage, failedAt, consumerService);
    }

    /** How long the message is, in the letter or left out of it. */
    public int bytes() {
        return leftOut.map(LeftOut::bytes).orElse(original.length);
    }

    /**
     * A JSON object with the original as {@code originalEvent}, byte for byte; or, when its event is not known or it is not
     * JSON, with its bytes in base64 as {@code originalBytes}. When it was left out, with {@code originalPlace}, {@code
     * originalSize} and {@code originalSha256} instead; when only its headers were, with those besides, and {@code
     * leftOutHeaders}. Key and headers that are in here are {@code originalHeaders}.
     */
    public byte[] toJson() {
        String id = "{\"eventId\":" + eventId.map(DeadLetterBody::quoted).orElse("null") + ",\"originalEvent\":";
        String rest = ",\"errorMessage\":" + quoted(errorMessage) + ",\"failedAt\":" + quoted(failedAt.toString())
                + ",\"consumerService\":" + quoted(consumerService) + "}";
        String besides = leftOut.map(DeadLetterBody::described).orElse("")
                + head.map(inside -> ",\"originalHeaders\":" + inside.toJson()).orElse("");
        return Bytes.join(utf8(id), hasMessage() ? kept() : utf8("null"), utf8(besides + rest));
    }

    /** Whether the body of the message is in it. */
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
     * @throws MalformedMessageException when this is no dead letter
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
                    "The dead letter has a failedAt that is no time, originalBytes that are not base64, or an originalSize that"
                            + " is no number.");
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
            throw new MalformedMessageException("The dead letter has leftOutHeaders that are no names.");
        }
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
