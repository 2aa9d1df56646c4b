package io.muster.web;

import io.muster.inventory.Fleet;
import io.muster.inventory.FleetAdmin;
import io.muster.inventory.FleetBook;
import io.muster.inventory.Pool;
import io.muster.model.PodProfile;
import io.muster.model.PoolId;
import io.muster.model.Refusal;
import io.muster.tenancy.Reader;
import io.muster.web.problem.ETags;
import io.muster.web.view.PoolView;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Pools, as they are and as admins set them. */
@RestController
@RequestMapping("/api/v1/pools")
class PoolController {
    private final JsonMapper json = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();
    private final Fleet fleet;
    private final FleetBook book;
    private final FleetAdmin admin;
    private final PoolViews views;

    PoolController(Fleet fleet, FleetBook book, FleetAdmin admin, PoolViews views) {
        this.fleet = fleet;
        this.book = book;
        this.admin = admin;
        this.views = views;
    }

    @GetMapping
    List<PoolView> list(Reader reader) {
        return views.all(reader);
    }

    @GetMapping("/{id}")
    ResponseEntity<PoolView> get(@PathVariable String id, Reader reader) {
        return answer(find(id), reader);
    }

    @PostMapping
    ResponseEntity<PoolView> create(@RequestBody PoolView.Create body, Reader reader) {
        TeamGate.platformAdmin(reader);
        Pool pool = pool(
                new PoolId(body.id()),
                body.displayName(),
                body.selector(),
                body.levels(),
                profile(PodProfile.SHIPPED, body.profile()),
                body.microsPerGpuHour());
        admin.createPool(reader.user(), pool);
        return ResponseEntity.created(URI.create("/api/v1/pools/" + pool.id()))
                .eTag(ETags.of(book.version(pool.id())))
                .body(views.of(pool, reader));
    }

    @PutMapping("/{id}")
    ResponseEntity<PoolView> change(
            @PathVariable String id,
            @RequestBody PoolView.Body body,
            @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch,
            Reader reader) {
        TeamGate.platformAdmin(reader);
        Pool before = find(id);
        Pool pool = pool(
                before.id(),
                body.displayName(),
                body.selector(),
                body.levels(),
                profile(before.profile(), body.profile()),
                body.microsPerGpuHour());
        admin.changePool(reader.user(), pool, ETags.required(ifMatch));
        return answer(pool, reader);
    }

    private ResponseEntity<PoolView> answer(Pool pool, Reader reader) {
        return ResponseEntity.ok().eTag(ETags.of(book.version(pool.id()))).body(views.of(pool, reader));
    }

    private Pool find(String id) {
        return fleet.pool(new PoolId(id)).orElseThrow(() -> Refusal.notFound("pool"));
    }

    private static Pool pool(
            PoolId id,
            String displayName,
            Map<String, String> selector,
            List<PoolView.Level> levels,
            PodProfile profile,
            long price) {
        var plain =
                levels.stream().map(l -> new Pool.Level(l.name(), l.label())).toList();
        return new Pool(id, displayName, selector, plain, profile, price);
    }

    /** What the body leaves out stays as it is. */
    private PodProfile profile(PodProfile now, @Nullable Map<String, Object> changes) {
        if (changes == null) return now;
        ObjectNode whole = json.valueToTree(now);
        changes.forEach((name, value) -> whole.set(name, json.valueToTree(value)));
        try {
            return json.treeToValue(whole, PodProfile.class);
        } catch (JacksonException e) {
            String field = e.getPath().isEmpty()
                    ? "profile"
                    : "profile." + e.getPath().getFirst().getPropertyName();
            throw Refusal.invalid(field, "is no field of a pod profile, or of the wrong kind");
        }
    }
}
