package dev.waybill.admin;

/** Why an event is parked. */
public enum ParkedState {
    /** At the head of its key; sent again when its time comes. */
    DUE,
    /** Behind an earlier event of its key. */
    WAITING,
    /** Given up; a person decides. */
    DEAD
}
