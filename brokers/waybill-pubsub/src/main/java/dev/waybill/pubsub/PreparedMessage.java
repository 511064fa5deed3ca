package dev.waybill.pubsub;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import com.google.pubsub.v1.PubsubMessage;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.Delivery.Refused;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.OutboundMessage.Header;

/** A message converted for Pub/Sub, or why it cannot be converted. */
sealed interface PreparedMessage {
    /** Maximum size of a publish request, and so of a message in it. */
    int MAX_BYTES = 10_000_000;

    /** Size of a request besides its message: the name of the topic and the lengths. */
    int ENVELOPE_BYTES = 1_000;

    int MAX_ATTRIBUTES = 100;
    int MAX_NAME_BYTES = 256;
    int MAX_VALUE_BYTES = 1024;
    int MAX_KEY_BYTES = 1024;
    /** Prefix of attribute names reserved by Google. */
    String RESERVED = "goog";

    record Fit(PubsubMessage message) implements PreparedMessage {}

    record Unfit(Refused why) implements PreparedMessage {}

    /** The body is the unchanged value, each header an attribute, the key the ordering key. */
    static PreparedMessage of(OutboundMessage message) {
        PubsubMessage.Builder letter = PubsubMessage.newBuilder().setData(bytes(message.value()));
        byte[] key = message.key();
        if (key != null) {
            ByteString text = bytes(key);
            if (key.length > MAX_KEY_BYTES || !text.isValidUtf8()) {
                return unfit("the key has " + key.length + " bytes" + (text.isValidUtf8() ? "" : " and is not text")
                        + ": an ordering key is text of at most " + MAX_KEY_BYTES);
            }
            letter.setOrderingKeyBytes(text);
        }
        for (Header header : message.headers()) {
            String problem = add(header, letter);
            if (!problem.isEmpty()) {
                return unfit(problem);
            }
        }
        return checked(letter.build());
    }

    private static PreparedMessage checked(PubsubMessage message) {
        if (message.getAttributesCount() > MAX_ATTRIBUTES) {
            return unfit(
                    "it has " + message.getAttributesCount() + " headers: at most " + MAX_ATTRIBUTES + " can be sent");
        }
        if (message.getData().isEmpty() && message.getAttributesCount() == 0) {
            return unfit("it has neither a body nor headers: Pub/Sub accepts no empty message");
        }
        int size = message.getSerializedSize();
        if (size > MAX_BYTES - ENVELOPE_BYTES) {
            return unfit("it has " + size + " bytes with its attributes: at most " + (MAX_BYTES - ENVELOPE_BYTES)
                    + " can be sent; make the event smaller, or store the data elsewhere and send a reference");
        }
        return new Fit(message);
    }

    /**
     * @return the problem of the header, without its value
     */
    private static String add(Header header, PubsubMessage.Builder letter) {
        String name = header.name();
        ByteString value = bytes(header.value());
        int nameBytes = ByteString.copyFromUtf8(name).size();
        if (name.isEmpty() || nameBytes > MAX_NAME_BYTES || name.startsWith(RESERVED)) {
            return "a header's name has " + nameBytes + " bytes"
                    + (name.startsWith(RESERVED) ? " and begins with goog" : "") + ": use 1 to " + MAX_NAME_BYTES
                    + ", not beginning with goog";
        }
        if (value.size() > MAX_VALUE_BYTES || !value.isValidUtf8()) {
            return "header " + name + " has " + value.size() + " bytes"
                    + (value.isValidUtf8() ? "" : " and is not text") + ": an attribute is text of at most "
                    + MAX_VALUE_BYTES;
        }
        if (letter.containsAttributes(name)) {
            return "header " + name + " occurs twice: an attribute has one value";
        }
        letter.putAttributes(name, value.toStringUtf8());
        return "";
    }

    /** Approximate size of a message in a request, without building it. */
    static long weight(OutboundMessage message) {
        byte[] key = message.key();
        long weight = 64L + message.value().length + (key == null ? 0 : key.length);
        for (Header header : message.headers()) {
            weight += 16L + 3L * header.name().length() + header.value().length;
        }
        return weight;
    }

    private static Unfit unfit(String why) {
        return new Unfit(Delivery.unfit("the message does not fit Pub/Sub: " + why));
    }

    /** Without a copy: the bytes of a message never change. */
    private static ByteString bytes(byte[] bytes) {
        return UnsafeByteOperations.unsafeWrap(bytes);
    }
}
