package dev.waybill.spring.shop;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Version;
import org.springframework.data.domain.AbstractAggregateRoot;

/** An aggregate with an optimistic lock. */
@Entity
public class PurchaseOrder extends AbstractAggregateRoot<PurchaseOrder> {
    @Id
    private Long id;

    @Version
    private Long version;

    private String state;

    protected PurchaseOrder() {}

    public PurchaseOrder(long id) {
        this.id = id;
        this.state = "new";
    }

    public void change(String newState) {
        this.state = newState;
    }

    /** Spring Data publishes the event when the aggregate is saved. */
    public PurchaseOrder place(String customer) {
        return andEvent(new OrderPlaced(id, customer));
    }

    public Long getId() {
        return id;
    }

    public String getState() {
        return state;
    }
}
