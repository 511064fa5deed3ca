package dev.waybill.example.kit;

/**
 * What the command line asks for.
 *
 * @param events how many events the day has
 * @param exit whether the example ends after its closing balance; otherwise it stays until Ctrl-C
 * @param chaos whether processes are killed and started again meanwhile
 * @param seed of every random choice
 */
public record ExampleOptions(int events, boolean exit, boolean chaos, long seed) {}
