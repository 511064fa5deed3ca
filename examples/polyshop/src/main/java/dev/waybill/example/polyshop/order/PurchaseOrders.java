package dev.waybill.example.polyshop.order;

import jakarta.persistence.LockModeType;
import java.util.Optional;
import java.util.UUID;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Lock;
import org.springframework.data.jpa.repository.Query;

interface PurchaseOrders extends JpaRepository<PurchaseOrder, UUID> {
    /** Locks the order: its outcomes come on several topics, and so at the same time. */
    @Lock(LockModeType.PESSIMISTIC_WRITE)
    @Query("select o from PurchaseOrder o where o.orderId = ?1")
    Optional<PurchaseOrder> findLocked(UUID orderId);
}
