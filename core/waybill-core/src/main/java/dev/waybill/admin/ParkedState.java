package dev.waybill.admin;

/** Why an event is parked. */
public enum ParkedState {
    /** First parked event of its key; sent again when its retry is due. */
    DUE,
    /** Behind an earlier event of its key. */
    WAITING,
    /** No more attempts; an operator decides. */
    DEAD
}
