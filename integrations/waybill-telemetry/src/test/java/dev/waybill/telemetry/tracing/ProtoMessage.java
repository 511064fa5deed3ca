package dev.waybill.telemetry.tracing;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The fields of a message in the encoding of protocol buffers, by number, each a number or bytes. */
record ProtoMessage(Map<Integer, List<Object>> fields) {
    private static final int VARINT = 0;
    private static final int FIXED_64 = 1;
    private static final int BYTES = 2;
    private static final int FIXED_32 = 5;

    static ProtoMessage of(byte[] encoded) {
        Map<Integer, List<Object>> fields = new TreeMap<>();
        ByteBuffer in = ByteBuffer.wrap(encoded).order(ByteOrder.LITTLE_ENDIAN);
        while (in.hasRemaining()) {
            long tag = varint(in);
            fields.computeIfAbsent((int) (tag >>> 3), number -> new ArrayList<>())
                    .add(value(in, (int) (tag & 7)));
        }
        return new ProtoMessage(fields);
    }

    private static Object value(ByteBuffer in, int kind) {
        return switch (kind) {
            case VARINT -> varint(in);
            case FIXED_64 -> in.getLong();
            case FIXED_32 -> (long) in.getInt();
            case BYTES -> {
                byte[] bytes = new byte[(int) varint(in)];
                in.get(bytes);
                yield bytes;
            }
            default -> throw new IllegalArgumentException("unknown kind of field: " + kind);
        };
    }

    private static long varint(ByteBuffer in) {
        long value = 0;
        int shift = 0;
        byte next;
        do {
            next = in.get();
            value |= (long) (next & 0x7f) << shift;
            shift += 7;
        } while (next < 0);
        return value;
    }

    List<ProtoMessage> messages(int field) {
        return all(field).stream().map(bytes -> of((byte[]) bytes)).toList();
    }

    /** Of the first such field; empty if there is none. */
    ProtoMessage message(int field) {
        return of(bytes(field));
    }

    String text(int field) {
        return new String(bytes(field), StandardCharsets.UTF_8);
    }

    String hex(int field) {
        return HexFormat.of().formatHex(bytes(field));
    }

    long number(int field) {
        return has(field) ? (long) all(field).get(0) : 0;
    }

    boolean has(int field) {
        return fields.containsKey(field);
    }

    private byte[] bytes(int field) {
        return has(field) ? (byte[]) all(field).get(0) : new byte[0];
    }

    private List<Object> all(int field) {
        return fields.getOrDefault(field, List.of());
    }
}
