package dev.waybill;

/** The transaction type of inboxes that have none, such as Redis. */
public enum NoTransaction {
    NONE
}
