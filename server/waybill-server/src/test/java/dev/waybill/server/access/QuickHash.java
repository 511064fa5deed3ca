package dev.waybill.server.access;

/** A hash with few iterations, so that tests do not spend their time on it. */
public final class QuickHash {
    public static final String PASSWORD = "correct horse battery";
    public static final String HASH =
            "pbkdf2-sha512:10000:MDEyMzQ1Njc4OWFiY2RlZg==:k640sf0rpeG0xHKHhFQzuuzThAD4DrCknQve8BkS5rw=";

    private QuickHash() {}
}
