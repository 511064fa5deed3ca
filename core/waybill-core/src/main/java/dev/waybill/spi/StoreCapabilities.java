package dev.waybill.spi;

/**
 * What a store can do.
 *
 * @param ordered whether events of one key come in the order of their transactions
 * @param severalRelays whether relays of different names each get every event
 */
public record StoreCapabilities(boolean ordered, boolean severalRelays) {}
