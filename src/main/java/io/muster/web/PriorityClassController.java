package io.muster.web;

import io.muster.model.PoolId;
import io.muster.model.Refusal;
import io.muster.model.TeamId;
import io.muster.policy.PolicyAdmin;
import io.muster.policy.PolicyBook;
import io.muster.policy.PriorityClass;
import io.muster.tenancy.Reader;
import io.muster.web.view.PriorityClassView;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Priority classes, who may use them, and how far they reach into other teams. */
@RestController
@RequestMapping("/api/v1/priority-classes")
class PriorityClassController {
    private final TeamGate gate;
    private final PolicyBook book;
    private final PolicyAdmin admin;

    PriorityClassController(TeamGate gate, PolicyBook book, PolicyAdmin admin) {
        this.gate = gate;
        this.book = book;
        this.admin = admin;
    }

    @GetMapping
    List<PriorityClassView> list(Reader reader) {
        return book.classes().stream().map(this::view).toList();
    }

    @PutMapping("/{name}")
    PriorityClassView set(@PathVariable String name, @RequestBody PriorityClassView.Body body, Reader reader) {
        TeamGate.platformAdmin(reader);
        var caps = new TreeMap<PoolId, Integer>();
        body.caps().forEach((pool, gpus) -> caps.put(new PoolId(pool), gpus));
        var grants = new TreeSet<TeamId>();
        body.grants().forEach(path -> grants.add(gate.team("grants", path).id()));
        admin.setClass(
                reader.user(),
                reader.username(),
                new PolicyAdmin.ClassWish(
                        name, body.value(), usableBy(body.usableBy()), body.acrossTeams(), caps, grants));
        return book.priorityClass(name).map(this::view).orElseThrow(() -> Refusal.notFound("priority class"));
    }

    private PriorityClassView view(PriorityClass c) {
        var caps = new TreeMap<String, Integer>();
        c.caps().forEach((pool, gpus) -> caps.put(pool.value(), gpus));
        return new PriorityClassView(
                c.name(),
                c.value(),
                c.usableBy().name(),
                c.acrossTeams(),
                caps,
                admin.grants(c.name()).stream().map(gate::path).sorted().toList());
    }

    private static PriorityClass.UsableBy usableBy(String name) {
        return Arrays.stream(PriorityClass.UsableBy.values())
                .filter(u -> u.name().equals(name))
                .findFirst()
                .orElseThrow(() -> Refusal.invalid("usableBy", "must be MEMBER, TEAM_ADMIN or GRANTED"));
    }
}
