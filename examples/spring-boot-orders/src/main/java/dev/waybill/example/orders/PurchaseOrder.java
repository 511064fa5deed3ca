package dev.waybill.example.orders;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.UUID;

@Entity
class PurchaseOrder {
    @Id
    UUID id = UUID.randomUUID();

    String item = "";
}
