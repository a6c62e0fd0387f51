package dev.cella.client.live;

import dev.cella.client.proto.AgentServiceGrpc.AgentServiceStub;
import dev.cella.client.proto.FeedServiceGrpc.FeedServiceStub;
import dev.cella.client.proto.JobServiceGrpc.JobServiceStub;
import dev.cella.client.proto.MemberServiceGrpc.MemberServiceStub;
import dev.cella.client.proto.OfferServiceGrpc.OfferServiceStub;
import dev.cella.client.proto.SchedulerServiceGrpc.SchedulerServiceStub;
import dev.cella.client.proto.TransactionServiceGrpc.TransactionServiceStub;
import java.net.URI;

/** The gRPC stubs of one server. There is one object for each server of a connection. */
record ServerStubs(
        URI address,
        FeedServiceStub feed,
        TransactionServiceStub transactions,
        SchedulerServiceStub schedulers,
        AgentServiceStub agents,
        MemberServiceStub members,
        OfferServiceStub offers,
        JobServiceStub jobs) {}
