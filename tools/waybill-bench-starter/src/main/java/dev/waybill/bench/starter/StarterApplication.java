package dev.waybill.bench.starter;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The application that appends. Spring makes a subclass of it. */
@SpringBootApplication
class StarterApplication {}
