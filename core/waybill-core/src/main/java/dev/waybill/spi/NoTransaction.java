package dev.waybill.spi;

/** The transaction type of inboxes that have none, such as Redis. */
public enum NoTransaction {
    NONE
}
