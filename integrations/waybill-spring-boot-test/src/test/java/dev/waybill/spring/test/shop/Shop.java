package dev.waybill.spring.test.shop;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The application of the tests. */
@SpringBootApplication
public class Shop {}
