package dev.cella.state.web;

import com.linecorp.armeria.client.grpc.GrpcClients;

/** Clients that wait for as long as it takes: a stream has no end, and a machine that is busy answers late. */
final class Stubs {
    private Stubs() {}

    static <S> S of(String address, Class<S> stub) {
        return GrpcClients.builder("gproto+" + address + "/")
                .responseTimeoutMillis(0)
                .build(stub);
    }
}
