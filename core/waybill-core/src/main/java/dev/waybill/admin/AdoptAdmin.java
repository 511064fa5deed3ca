package dev.waybill.admin;

/** Of a store whose positions belong to one database cluster and one environment: makes a copy of it one's own. */
public interface AdoptAdmin {
    /**
     * Makes a store readable again whose rows were restored into another cluster. Every relay must have stopped.
     *
     * @return how many relays go on from where they stood in the copy
     */
    int adopt(Actor by);

    /** Binds the store to an environment, also when it was bound to another. */
    void bindEnvironment(String environment, Actor by);
}
