package dev.cella.state.ratis;

import java.util.Collection;
import org.apache.ratis.proto.RaftProtos.CommitInfoProto;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.DataStreamMap;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.DivisionProperties;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RetryCache;
import org.apache.ratis.server.metrics.RaftServerMetrics;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.StateMachine;

/**
 * A leading member as one of its connections to a follower sees it: the same member under another lock.
 *
 * <p>A connection that is told a higher term locks its member and reports the term. A leader that steps down holds this lock
 * while it waits for its connections to end, for up to five seconds. So two answers of a higher term shortly after each other
 * made the whole member stand still: it neither voted nor learned who leads. The report itself needs no lock, because it goes
 * into a queue.
 */
final class DivisionOfConnection implements RaftServer.Division {
    private final RaftServer.Division member;

    DivisionOfConnection(RaftServer.Division member) {
        this.member = member;
    }

    @Override
    public DivisionProperties properties() {
        return member.properties();
    }

    @Override
    public RaftGroupMemberId getMemberId() {
        return member.getMemberId();
    }

    @Override
    public RaftPeerId getId() {
        return member.getId();
    }

    @Override
    public RaftPeer getPeer() {
        return member.getPeer();
    }

    @Override
    public DivisionInfo getInfo() {
        return member.getInfo();
    }

    @Override
    public RaftGroup getGroup() {
        return member.getGroup();
    }

    @Override
    public RaftConfiguration getRaftConf() {
        return member.getRaftConf();
    }

    @Override
    public RaftServer getRaftServer() {
        return member.getRaftServer();
    }

    @Override
    public RaftServerMetrics getRaftServerMetrics() {
        return member.getRaftServerMetrics();
    }

    @Override
    public StateMachine getStateMachine() {
        return member.getStateMachine();
    }

    @Override
    public RaftLog getRaftLog() {
        return member.getRaftLog();
    }

    @Override
    public RaftStorage getRaftStorage() {
        return member.getRaftStorage();
    }

    @Override
    public Collection<CommitInfoProto> getCommitInfos() {
        return member.getCommitInfos();
    }

    @Override
    public RetryCache getRetryCache() {
        return member.getRetryCache();
    }

    @Override
    public DataStreamMap getDataStreamMap() {
        return member.getDataStreamMap();
    }

    @Override
    public ThreadGroup getThreadGroup() {
        return member.getThreadGroup();
    }

    @Override
    public void close() {
        member.close();
    }
}
