package dev.waybill.route;

/** Topic and key of a message. */
public record Address(String topic, byte[] key) {

    /** Without the key, which may be personal data. */
    @Override
    public String toString() {
        return "Address[" + topic + "]";
    }
}
