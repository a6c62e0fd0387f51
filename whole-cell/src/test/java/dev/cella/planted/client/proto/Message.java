package dev.cella.planted.client.proto;

public final class Message {}
