package dev.waybill.spring.shop;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.PostPersist;

/** An entity with a callback of its life cycle. */
@Entity
public class Shipment {
    /** Called when a shipment has been inserted. */
    public static volatile Runnable whenInserted = () -> {};

    @Id
    private Long id;

    protected Shipment() {}

    public Shipment(long id) {
        this.id = id;
    }

    public Long getId() {
        return id;
    }

    @PostPersist
    void inserted() {
        whenInserted.run();
    }
}
