package dev.waybill.spi;

/** In place of a transaction where there is none. */
public enum NoTransaction {
    NONE
}
