package dev.waybill.spring.boot.properties;

import dev.waybill.RetryPolicy;

/**
 * A number of retries, or {@code unlimited}.
 *
 * @param number as in {@link RetryPolicy#retries()}
 */
public record RetryCount(int number) {
    private static final String UNLIMITED = "unlimited";

    /** Spring converts a text with this method. */
    public static RetryCount of(String text) {
        if (text.equals(UNLIMITED)) {
            return new RetryCount(RetryPolicy.UNLIMITED);
        }
        int number;
        try {
            number = Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("it is neither a whole number nor " + UNLIMITED, e);
        }
        return new RetryCount(number);
    }

    @Override
    public String toString() {
        return number == RetryPolicy.UNLIMITED ? UNLIMITED : Integer.toString(number);
    }
}
