package dev.waybill;

import java.util.Arrays;
import java.util.Objects;

/**
 * The content of an event: JSON, which is checked when the payload is created, or binary. The bytes are delivered unchanged.
 */
public sealed interface Payload {

    /** Not a copy: must not be changed. */
    byte[] bytes();

    String contentType();

    default int size() {
        return bytes().length;
    }

    /**
     * @throws InvalidEventException when the text is not one JSON value
     */
    static Payload json(String json) {
        byte[] utf8 = JsonText.encode(Objects.requireNonNull(json, "json"));
        JsonText.requireOneValue(utf8);
        return new Json(utf8);
    }

    /**
     * @param utf8 the JSON text in UTF-8
     * @throws InvalidEventException when the bytes are not one JSON value in UTF-8
     */
    static Payload json(byte[] utf8) {
        JsonText.requireOneValue(utf8);
        return new Json(utf8.clone());
    }

    /**
     * Creates a payload from a domain object with Jackson (records, beans, maps, lists; dates as ISO-8601).
     *
     * @throws InvalidEventException when Jackson cannot write it
     */
    static Payload jsonOf(Object domainObject) {
        return new Json(JsonText.write(domainObject));
    }

    /**
     * Creates a payload with the application's own writer: {@code Payload.json(order, mapper::writeValueAsBytes)}.
     *
     * @throws InvalidEventException when the writer throws, or does not return one JSON value in UTF-8
     */
    static <V> Payload json(V domainObject, Writer<V> writer) {
        byte[] utf8;
        try {
            utf8 = writer.write(domainObject);
        } catch (Exception e) {
            throw new InvalidEventException(
                    "The writer failed with " + e.getClass().getName() + " on "
                            + domainObject.getClass().getName() + ": correct the writer or the object.",
                    e);
        }
        return json(utf8);
    }

    /** Writes an object as one JSON value in UTF-8. */
    @FunctionalInterface
    interface Writer<V> {
        byte[] write(V domainObject) throws Exception;
    }

    static Payload binary(byte[] bytes, String contentType) {
        return new Binary(bytes.clone(), Check.required(contentType, "content type", "\"application/protobuf\"", 255));
    }

    /** A JSON value in UTF-8. */
    record Json(byte[] bytes) implements Payload {
        @Override
        public String contentType() {
            return "application/json";
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Json json && Arrays.equals(bytes, json.bytes);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(bytes);
        }

        @Override
        public String toString() {
            return "Json[" + bytes.length + " bytes]";
        }
    }

    /** Bytes with a content type declared by the application. */
    record Binary(byte[] bytes, String contentType) implements Payload {
        @Override
        public boolean equals(Object other) {
            return other instanceof Binary binary
                    && contentType.equals(binary.contentType)
                    && Arrays.equals(bytes, binary.bytes);
        }

        @Override
        public int hashCode() {
            return 31 * contentType.hashCode() + Arrays.hashCode(bytes);
        }

        @Override
        public String toString() {
            return "Binary[" + bytes.length + " bytes of " + contentType + "]";
        }
    }
}
