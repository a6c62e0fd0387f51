package dev.cella.state.web;

import com.linecorp.armeria.client.grpc.GrpcClients;

/** Clients without a time-out: a stream has no end, and a busy machine answers late. */
final class Stubs {
    private Stubs() {}

    static <S> S of(String address, Class<S> stub) {
        return GrpcClients.builder("gproto+" + address + "/")
                .responseTimeoutMillis(0)
                .build(stub);
    }
}
