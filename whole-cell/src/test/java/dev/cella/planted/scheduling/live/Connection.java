package dev.cella.planted.scheduling.live;

public final class Connection {}
