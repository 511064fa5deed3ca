package dev.waybill.spi;

/**
 * What the caller of {@link Destination#publish} has seen of earlier answers. Made by a {@link PublishLog}.
 *
 * @param number of this publish: higher than that of every earlier publish in this process
 * @param below the caller has taken in the answers to all of its publishes with a lower number. It holds back what
 *     follows a failure among them; what follows a later failure the destination must hold back
 */
public record Seen(long number, long below) {}
