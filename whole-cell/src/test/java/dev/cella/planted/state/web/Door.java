package dev.cella.planted.state.web;

public final class Door {}
