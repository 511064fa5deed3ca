package dev.waybill.mongodb;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonInvalidOperationException;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.json.JsonParseException;

/**
 * Documents as the JSON that is sent: compact, in their own order, with dates in ISO-8601, ids as text and bytes in base64. Not
 * MongoDB's extended JSON, which consumers would have to know.
 */
final class BsonJson {
    private static final char[] HEX = "0123456789abcdef".toCharArray();
    private static final int MOST_LEVELS = 80;

    private final StringBuilder json = new StringBuilder();

    private BsonJson() {}

    static String write(BsonValue value) {
        BsonJson writer = new BsonJson();
        writer.value(value);
        return writer.json.toString();
    }

    /** A JSON text as a document, if the document yields the same bytes and MongoDB accepts its names; else as text. */
    static BsonValue documentOrText(byte[] utf8) {
        String text = new String(utf8, StandardCharsets.UTF_8);
        if (!text.startsWith("{")) {
            return new BsonString(text);
        }
        try {
            BsonDocument document = BsonDocument.parse(text);
            boolean same = Arrays.equals(write(document).getBytes(StandardCharsets.UTF_8), utf8);
            return same && isStorable(document, 1) ? document : new BsonString(text);
        } catch (JsonParseException | BsonInvalidOperationException | IllegalArgumentException e) {
            // The driver parses some JSON differently: as text it stays unchanged.
            return new BsonString(text);
        }
    }

    static boolean isStorable(BsonValue value, int level) {
        if (value.isArray()) {
            return level < MOST_LEVELS && value.asArray().stream().allMatch(each -> isStorable(each, level + 1));
        }
        return !value.isDocument()
                || (level < MOST_LEVELS
                        && value.asDocument().entrySet().stream()
                                .allMatch(each -> isPlain(each.getKey()) && isStorable(each.getValue(), level + 1)));
    }

    /** Other names are refused by some servers, or cannot be queried. */
    private static boolean isPlain(String name) {
        return !name.isEmpty() && name.charAt(0) != '$' && name.indexOf('.') < 0 && name.indexOf('\0') < 0;
    }

    private void value(BsonValue value) {
        switch (value.getBsonType()) {
            case DOCUMENT -> document(value.asDocument());
            case ARRAY -> array(value.asArray());
            case STRING -> text(value.asString().getValue());
            case BOOLEAN -> json.append(value.asBoolean().getValue());
            case INT32 -> json.append(value.asInt32().getValue());
            case INT64 -> json.append(value.asInt64().getValue());
            case DOUBLE -> number(value.asDouble().getValue());
            case DECIMAL128 -> decimal(value);
            case DATE_TIME ->
                text(Instant.ofEpochMilli(value.asDateTime().getValue()).toString());
            case TIMESTAMP ->
                text(Instant.ofEpochSecond(value.asTimestamp().getTime()).toString());
            case OBJECT_ID -> text(value.asObjectId().getValue().toHexString());
            case BINARY ->
                text(Base64.getEncoder().encodeToString(value.asBinary().getData()));
            case SYMBOL -> text(value.asSymbol().getSymbol());
            case JAVASCRIPT -> text(value.asJavaScript().getCode());
            case JAVASCRIPT_WITH_SCOPE -> text(value.asJavaScriptWithScope().getCode());
            case REGULAR_EXPRESSION -> text(value.asRegularExpression().getPattern());
            case DB_POINTER -> text(value.asDBPointer().getId().toHexString());
            case NULL, UNDEFINED, MIN_KEY, MAX_KEY, END_OF_DOCUMENT -> json.append("null");
        }
    }

    private void document(BsonDocument document) {
        json.append('{');
        String separator = "";
        for (Map.Entry<String, BsonValue> each : document.entrySet()) {
            json.append(separator);
            text(each.getKey());
            json.append(':');
            value(each.getValue());
            separator = ",";
        }
        json.append('}');
    }

    private void array(Iterable<BsonValue> values) {
        json.append('[');
        String separator = "";
        for (BsonValue each : values) {
            json.append(separator);
            value(each);
            separator = ",";
        }
        json.append(']');
    }

    /** JSON has no form for NaN and infinity. */
    private void number(double number) {
        json.append(Double.isFinite(number) ? Double.toString(number) : "null");
    }

    private void decimal(BsonValue value) {
        boolean finite = value.asDecimal128().getValue().isFinite();
        json.append(finite ? value.asDecimal128().getValue().toString() : "null");
    }

    private void text(String text) {
        json.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> json.append("\\\"");
                case '\\' -> json.append("\\\\");
                case '\n' -> json.append("\\n");
                case '\r' -> json.append("\\r");
                case '\t' -> json.append("\\t");
                case '\b' -> json.append("\\b");
                case '\f' -> json.append("\\f");
                default -> {
                    if (c < ' ') {
                        json.append("\\u00").append(HEX[c >> 4]).append(HEX[c & 15]);
                    } else {
                        json.append(c);
                    }
                }
            }
        }
        json.append('"');
    }
}
