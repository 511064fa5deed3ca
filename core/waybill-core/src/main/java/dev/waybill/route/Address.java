package dev.waybill.route;

/** Where a message goes, and the key that keeps it together with others there. */
public record Address(String topic, byte[] key) {

    /** Without the key: it may be personal data. */
    @Override
    public String toString() {
        return "Address[" + topic + "]";
    }
}
