package dev.waybill.rabbitmq;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A frame of AMQP 0-9-1 as it goes over the wire. */
record AmqpFrame(byte type, int channel, byte[] payload) {
    static final int PUBLISH = method(60, 40);
    static final int ACK = method(60, 80);
    static final int OPEN_CHANNEL = method(20, 10);
    static final int SELECT_CONFIRMS = method(85, 10);
    private static final int DECLARE_EXCHANGE = method(40, 10);

    private static final byte METHOD = 1;
    private static final byte HEADER = 2;
    private static final byte END = (byte) 0xCE;
    private static final int CLASS_OF_CONTENT = 60;

    private static int method(int ofClass, int number) {
        return ofClass << 16 | number;
    }

    static AmqpFrame read(DataInputStream in) throws IOException {
        byte type = in.readByte();
        int channel = in.readUnsignedShort();
        byte[] payload = new byte[in.readInt()];
        in.readFully(payload);
        if (in.readByte() != END) {
            throw new IOException("A frame does not end where it should.");
        }
        return new AmqpFrame(type, channel, payload);
    }

    void write(DataOutputStream out) throws IOException {
        ByteBuffer whole = ByteBuffer.allocate(payload.length + 8)
                .put(type)
                .putShort((short) channel)
                .putInt(payload.length)
                .put(payload)
                .put(END);
        out.write(whole.array());
        out.flush();
    }

    boolean isMethod() {
        return type == METHOD;
    }

    /** Class and number in one; only of a method. */
    int method() {
        return ByteBuffer.wrap(payload).getInt();
    }

    String name() {
        return (method() >> 16) + "." + (method() & 0xFFFF) + (method() == PUBLISH ? " publish" : "");
    }

    boolean isContentHeader() {
        return type == HEADER;
    }

    long contentSize() {
        return ByteBuffer.wrap(payload).getLong(4);
    }

    /** The number of the last message that it confirms; only of an acknowledgement. */
    long acknowledged() {
        return ByteBuffer.wrap(payload).getLong(4);
    }

    static AmqpFrame publishNothing(int channel, String exchange) {
        return method(channel, PUBLISH, arguments -> {
            arguments.writeShort(0);
            writeShortText(arguments, exchange);
            writeShortText(arguments, "");
            arguments.writeByte(0);
        });
    }

    static AmqpFrame headerOfNothing(int channel) {
        ByteBuffer header = ByteBuffer.allocate(14).putShort((short) CLASS_OF_CONTENT);
        return new AmqpFrame(HEADER, channel, header.array());
    }

    static AmqpFrame declareExchange(int channel, String exchange, String kind) {
        return method(channel, DECLARE_EXCHANGE, arguments -> {
            arguments.writeShort(0);
            writeShortText(arguments, exchange);
            writeShortText(arguments, kind);
            arguments.writeByte(0);
            arguments.writeInt(0);
        });
    }

    private interface Arguments {
        void write(DataOutputStream to) throws IOException;
    }

    private static AmqpFrame method(int channel, int method, Arguments arguments) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(method);
            arguments.write(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new AmqpFrame(METHOD, channel, bytes.toByteArray());
    }

    private static void writeShortText(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        out.writeByte(bytes.length);
        out.write(bytes);
    }
}
