package dev.waybill.spi;

/**
 * Which earlier answers the caller of {@link Destination#publish} has processed. Created by a {@link PublishLog}.
 *
 * @param number of this publish; greater than that of every earlier publish in this process
 * @param below the caller has processed the answers to all its publishes with a lower number. It holds back messages behind
 *     their failures itself; behind later failures, the destination must hold them back
 */
public record Seen(long number, long below) {}
