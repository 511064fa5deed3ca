package dev.waybill.admin;

/** For a store whose positions belong to one database cluster and one environment: takes over a copy of it. */
public interface AdoptAdmin {
    /**
     * Makes a store usable that was restored into another cluster. All relays must be stopped.
     *
     * @return number of relays that continue from their position in the copy
     */
    int adopt(Actor by);

    /** Binds the store to an environment, even if it was bound to another. */
    void bindEnvironment(String environment, Actor by);
}
