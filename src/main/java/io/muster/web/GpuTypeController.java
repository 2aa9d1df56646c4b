package io.muster.web;

import io.muster.inventory.Fleet;
import io.muster.inventory.FleetAdmin;
import io.muster.inventory.FleetBook;
import io.muster.inventory.GpuType;
import io.muster.model.GpuTypeId;
import io.muster.tenancy.Reader;
import io.muster.web.problem.ETags;
import io.muster.web.view.GpuTypeView;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The catalogue of GPU types. */
@RestController
@RequestMapping("/api/v1/gpu-types")
class GpuTypeController {
    private final Fleet fleet;
    private final FleetBook book;
    private final FleetAdmin admin;

    GpuTypeController(Fleet fleet, FleetBook book, FleetAdmin admin) {
        this.fleet = fleet;
        this.book = book;
        this.admin = admin;
    }

    @GetMapping
    List<GpuTypeView> list(Reader reader) {
        return fleet.gpuTypes().stream().map(this::view).toList();
    }

    /** Makes the type or changes it; If-Match guards a change when it is sent. */
    @PutMapping("/{id}")
    ResponseEntity<GpuTypeView> set(
            @PathVariable String id,
            @RequestBody GpuTypeView.Body body,
            @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch,
            Reader reader) {
        TeamGate.platformAdmin(reader);
        var type = new GpuType(new GpuTypeId(id), body.memoryMib(), body.resourceName(), body.products());
        admin.setGpuType(reader.user(), type, ifMatch == null ? null : ETags.required(ifMatch));
        return ResponseEntity.ok().eTag(ETags.of(book.version(type.id()))).body(view(type));
    }

    private GpuTypeView view(GpuType t) {
        return new GpuTypeView(t.id().value(), t.memoryMib(), t.resourceName(), t.products(), book.version(t.id()));
    }
}
