package dev.waybill.server.access;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/**
 * Addresses that begin with the same bits.
 *
 * @param bits how many
 */
public record AddressRange(InetAddress first, int bits) {
    /** An address in numbers, so that nothing is looked up. */
    private static final Pattern NUMBERS =
            Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");

    /** @throws IllegalArgumentException if it is not an address such as 10.0.0.7, or a range such as 10.0.0.0/8 */
    public static AddressRange parse(String text) {
        String[] parts = text.strip().split("/", 2);
        if (!isAddress(parts[0])) {
            throw wrong();
        }
        InetAddress address = address(parts[0]);
        int most = address.getAddress().length * Byte.SIZE;
        if (parts.length == 1) {
            return new AddressRange(address, most);
        }
        if (!parts[1].matches("\\d{1,3}") || Integer.parseInt(parts[1]) > most) {
            throw wrong();
        }
        return new AddressRange(address, Integer.parseInt(parts[1]));
    }

    /** Whether it is an address in numbers, with or without brackets. */
    static boolean isAddress(String text) {
        return NUMBERS.matcher(text).matches();
    }

    private static InetAddress address(String numbers) {
        try {
            return InetAddress.getByName(numbers);
        } catch (UnknownHostException e) {
            throw wrong();
        }
    }

    private static IllegalArgumentException wrong() {
        return new IllegalArgumentException("is not an address such as 10.0.0.7, or a range such as 10.0.0.0/8");
    }

    boolean contains(InetAddress address) {
        byte[] one = first.getAddress();
        byte[] other = address.getAddress();
        if (one.length != other.length) {
            return false;
        }
        for (int bit = 0; bit < bits; bit++) {
            int mask = 0x80 >> (bit % Byte.SIZE);
            if ((one[bit / Byte.SIZE] & mask) != (other[bit / Byte.SIZE] & mask)) {
                return false;
            }
        }
        return true;
    }
}
