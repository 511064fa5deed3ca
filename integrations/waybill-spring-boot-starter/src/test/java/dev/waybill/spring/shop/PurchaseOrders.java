package dev.waybill.spring.shop;

import org.springframework.data.jpa.repository.JpaRepository;

/** Stores aggregates and publishes their events. */
public interface PurchaseOrders extends JpaRepository<PurchaseOrder, Long> {}
