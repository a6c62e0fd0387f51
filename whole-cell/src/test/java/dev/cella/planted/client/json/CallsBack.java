package dev.cella.planted.client.json;

import dev.cella.planted.client.http.Caller;

final class CallsBack {
    Caller caller() {
        return new Caller();
    }
}
