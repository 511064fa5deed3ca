package dev.waybill.spring;

import dev.waybill.spring.shop.Shop;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.ContextConfiguration;

/** A test of the shop on PostgreSQL. All such classes share one application context. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(classes = Shop.class, properties = "spring.jpa.hibernate.ddl-auto=create")
@ContextConfiguration(initializers = TestDatabase.WithJournal.class)
public @interface OnPostgres {}
