package dev.waybill.spring.shop;

/** Without an annotation: a bean maps it. */
public record Invoiced(String number) {}
