package dev.cella.planted.client.http;

import dev.cella.planted.client.json.Codec;

public final class Caller {
    Codec codec() {
        return new Codec();
    }
}
