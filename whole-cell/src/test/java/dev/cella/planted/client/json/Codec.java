package dev.cella.planted.client.json;

public final class Codec {}
