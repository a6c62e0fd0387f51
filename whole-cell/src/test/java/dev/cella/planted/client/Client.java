package dev.cella.planted.client;

public final class Client {}
