package dev.waybill.registry;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.json.JsonMapper;

/** Parses payloads for checks, within limits. The stored bytes are sent, never the parsed value. */
final class PayloadJson {
    private static final int DIGITS = StreamReadConstraints.DEFAULT_MAX_NUM_LEN;
    /** Comparing, dividing or printing a number with a larger exponent can exhaust the memory. */
    private static final int EXPONENT = 1_000;

    private final PayloadLimits limits;
    private final JsonMapper mapper;

    PayloadJson(PayloadLimits limits) {
        this.limits = limits;
        StreamReadConstraints constraints = StreamReadConstraints.builder()
                .maxNestingDepth(limits.depth())
                .maxStringLength(limits.bytes())
                .maxNameLength(limits.bytes())
                .build();
        JsonFactory factory =
                JsonFactory.builder().streamReadConstraints(constraints).build();
        this.mapper = JsonMapper.builder(factory)
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                // For duplicate names, some consumers read the first value and others the last.
                .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
                .build();
    }

    /** A payload that cannot be read. */
    static final class UnreadableException extends Exception {
        private static final long serialVersionUID = 1L;

        UnreadableException(String problem) {
            super(problem);
        }

        String problem() {
            return String.valueOf(getMessage());
        }
    }

    JsonNode read(byte[] utf8) throws UnreadableException {
        if (utf8.length == 0) {
            throw new UnreadableException("is missing");
        }
        if (utf8.length > limits.bytes()) {
            throw new UnreadableException("has " + utf8.length + " bytes, at most " + limits.bytes() + " are allowed");
        }
        JsonNode payload = parse(characters(utf8));
        if (payload.isNull()) {
            throw new UnreadableException("is null");
        }
        refuseHugeNumbers(payload);
        return payload;
    }

    /** For bytes, Jackson would detect the encoding. */
    private static CharBuffer characters(byte[] utf8) throws UnreadableException {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8));
        } catch (CharacterCodingException e) {
            throw new UnreadableException("is not valid UTF-8");
        }
    }

    private JsonNode parse(CharBuffer text) throws UnreadableException {
        try {
            JsonNode payload = mapper.readTree(text.toString());
            if (payload.isMissingNode()) {
                throw new UnreadableException("is missing");
            }
            return payload;
        } catch (StreamConstraintsException e) {
            throw new UnreadableException("nests deeper than " + limits.depth()
                    + " levels or has a number of more than " + DIGITS + " digits");
        } catch (MismatchedInputException e) {
            throw new UnreadableException("has a name twice in one object, or a second value after the first");
        } catch (JacksonException e) {
            throw new UnreadableException("is not JSON" + place(e));
        }
    }

    private static String place(JacksonException e) {
        TokenStreamLocation location = e.getLocation();
        return location == null ? "" : " at character " + location.getCharOffset();
    }

    private static void refuseHugeNumbers(JsonNode node) throws UnreadableException {
        if (node.isBigDecimal()) {
            BigDecimal number = node.decimalValue();
            if (Math.abs((long) number.scale()) > EXPONENT) {
                throw new UnreadableException("has a number with an exponent beyond " + EXPONENT);
            }
        }
        for (JsonNode child : node) {
            refuseHugeNumbers(child);
        }
    }
}
