#include "engine/physics/detail/shape_cache.h"

#include "engine/physics/detail/limits.h"

#include <BulletCollision/CollisionDispatch/btInternalEdgeUtility.h>
#include <LinearMath/btConvexHullComputer.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>

namespace sbx::physics::detail {

namespace {

constexpr float SmallestLength =
    0.001F; // metres; below it Bullet's margins and slops are larger than the body
constexpr std::size_t MaxHullCorners = 256;
constexpr std::size_t MaxTrianglesWithEdges = 200000; // finding the seams of more takes seconds

bool validLength(float length) {
    return std::isfinite(length) && length >= SmallestLength && length <= PhysicsWorld::Bound;
}

std::string lengthError(const char* what, float value) {
    return std::string(what) + " is " + std::to_string(value) + "; expected a length in [0.001, 100000] m";
}

ShapeDesc normalized(const ShapeDesc& desc) {
    ShapeDesc out;
    out.kind = desc.kind;
    switch (desc.kind) {
    case ShapeDesc::Kind::Box:
        out.size = desc.size * desc.scale;
        break;
    case ShapeDesc::Kind::Sphere:
        out.radius = desc.radius * std::max({desc.scale.x, desc.scale.y, desc.scale.z});
        break;
    case ShapeDesc::Kind::Capsule:
    case ShapeDesc::Kind::Cylinder:
        out.radius = desc.radius * std::max(desc.scale.x, desc.scale.z);
        out.height = desc.height * desc.scale.y;
        break;
    case ShapeDesc::Kind::Plane:
        break;
    case ShapeDesc::Kind::Hull:
        out.points = desc.points;
        out.scale = desc.scale;
        break;
    case ShapeDesc::Kind::Mesh:
        out.points = desc.points;
        out.indices = desc.indices;
        out.scale = desc.scale;
        break;
    }
    return out;
}

std::uint64_t hashOf(const ShapeDesc& desc) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    const auto mix = [&hash](std::uint32_t word) { hash = (hash ^ word) * 0x100000001b3U; };
    const auto mixVector = [&mix](const Vec3& v) {
        mix(std::bit_cast<std::uint32_t>(v.x));
        mix(std::bit_cast<std::uint32_t>(v.y));
        mix(std::bit_cast<std::uint32_t>(v.z));
    };
    mix(static_cast<std::uint32_t>(desc.kind));
    mixVector(desc.size);
    mix(std::bit_cast<std::uint32_t>(desc.radius));
    mix(std::bit_cast<std::uint32_t>(desc.height));
    mixVector(desc.scale);
    for (const Vec3& point : desc.points) {
        mixVector(point);
    }
    for (const std::uint32_t index : desc.indices) {
        mix(index);
    }
    return hash;
}

// Scaled corners, or what is wrong with them.
Result<std::vector<btVector3>> scaledCorners(const ShapeDesc& desc) {
    std::vector<btVector3> corners;
    corners.reserve(desc.points.size());
    for (const Vec3& point : desc.points) {
        const Vec3 scaled = point * desc.scale;
        if (!isFinite(scaled) || glm::any(glm::greaterThan(glm::abs(scaled), Vec3(PhysicsWorld::Bound)))) {
            return invalid("a corner is not finite; expected coordinates within 100000 m");
        }
        corners.push_back(toBullet(scaled));
    }
    return corners;
}

// The thickness of a hull: over its faces, the least distance to the farthest corner.
float thicknessOf(const btConvexHullComputer& hull) {
    float thinnest = std::numeric_limits<float>::max();
    for (int f = 0; f < hull.faces.size(); ++f) {
        const btConvexHullComputer::Edge* const edge = &hull.edges[hull.faces[f]];
        const btVector3& a = hull.vertices[edge->getSourceVertex()];
        const btVector3& b = hull.vertices[edge->getTargetVertex()];
        const btVector3& c = hull.vertices[edge->getNextEdgeOfFace()->getTargetVertex()];
        btVector3 normal = (b - a).cross(c - a);
        if (normal.length2() < 1e-20F) {
            continue;
        }
        normal.normalize();
        float farthest = 0.0F;
        for (int i = 0; i < hull.vertices.size(); ++i) {
            farthest = std::max(farthest, std::abs(normal.dot(hull.vertices[i] - a)));
        }
        thinnest = std::min(thinnest, farthest);
    }
    return thinnest < std::numeric_limits<float>::max() ? thinnest : 0.0F;
}

struct HullMass {
    double volume = 0.0;
    btVector3 centroid{0.0F, 0.0F, 0.0F};
    btVector3 unitInertia{0.0F, 0.0F, 0.0F}; // diagonal about the centroid
};

// Volume, centroid and inertia of a closed convex surface, by tetrahedra to a point inside it.
HullMass massOf(const btConvexHullComputer& hull) {
    btVector3 inside(0.0F, 0.0F, 0.0F);
    for (int i = 0; i < hull.vertices.size(); ++i) {
        inside += hull.vertices[i];
    }
    inside /= static_cast<float>(std::max(hull.vertices.size(), 1));
    double volume = 0.0;
    double first[3] = {0.0, 0.0, 0.0};
    double second[3] = {0.0, 0.0, 0.0};
    for (int f = 0; f < hull.faces.size(); ++f) {
        const btConvexHullComputer::Edge* const begin = &hull.edges[hull.faces[f]];
        const btVector3 a = hull.vertices[begin->getSourceVertex()] - inside;
        for (const btConvexHullComputer::Edge* edge = begin->getNextEdgeOfFace();
             edge->getTargetVertex() != begin->getSourceVertex(); edge = edge->getNextEdgeOfFace()) {
            const btVector3 b = hull.vertices[edge->getSourceVertex()] - inside;
            const btVector3 c = hull.vertices[edge->getTargetVertex()] - inside;
            const double part = std::abs(static_cast<double>(a.dot(b.cross(c)))) / 6.0;
            volume += part;
            for (int k = 0; k < 3; ++k) {
                const double x = static_cast<double>(a[k]);
                const double y = static_cast<double>(b[k]);
                const double z = static_cast<double>(c[k]);
                first[k] += part * (x + y + z) / 4.0;
                second[k] += part * (x * x + y * y + z * z + x * y + y * z + z * x) / 10.0;
            }
        }
    }
    HullMass mass;
    mass.volume = volume;
    if (volume > 0.0) {
        double spread[3];
        for (int k = 0; k < 3; ++k) {
            const double mean = first[k] / volume;
            mass.centroid[k] = inside[k] + static_cast<float>(mean);
            spread[k] = std::max(second[k] / volume - mean * mean, 1e-9);
        }
        mass.unitInertia.setValue(static_cast<float>(spread[1] + spread[2]),
                                  static_cast<float>(spread[0] + spread[2]),
                                  static_cast<float>(spread[0] + spread[1]));
    }
    return mass;
}

Result<void> buildHull(Shape& shape) {
    Result<std::vector<btVector3>> corners = scaledCorners(shape.desc);
    if (!corners) {
        return corners.error();
    }
    if (corners->size() < 4) {
        return invalid("a hull has " + std::to_string(corners->size()) + " points; expected at least 4");
    }
    const auto count = static_cast<int>(corners->size());
    btConvexHullComputer outer;
    outer.compute(&corners->front().m_floats[0], sizeof(btVector3), count, 0.0F, 0.0F);
    if (static_cast<std::size_t>(outer.vertices.size()) > MaxHullCorners) {
        return invalid("a hull has " + std::to_string(outer.vertices.size()) + " corners; expected at most "
                       + std::to_string(MaxHullCorners));
    }
    const float thickness = outer.vertices.size() < 4 ? 0.0F : thicknessOf(outer);
    const HullMass mass = massOf(outer);
    if (thickness < SmallestLength || !(mass.volume > 0.0)) {
        return invalid("a hull is flat: its points lie within 1 mm of a plane");
    }
    // Bullet grows a hull by its margin; shrinking the corners by as much keeps the faces where they were
    // drawn.
    btConvexHullComputer inner;
    const float margin = inner.compute(&corners->front().m_floats[0], sizeof(btVector3), count, 0.04F, 0.2F);
    const bool shrunk = margin > 0.0F && inner.vertices.size() >= 4;
    const btAlignedObjectArray<btVector3>& kept = shrunk ? inner.vertices : outer.vertices;
    auto hull = std::make_unique<btConvexHullShape>();
    for (int i = 0; i < kept.size(); ++i) {
        hull->addPoint(kept[i] - mass.centroid, false);
    }
    hull->recalcLocalAabb();
    hull->setMargin(shrunk ? margin : 0.001F);
    shape.collision = std::move(hull);
    shape.center = fromBullet(mass.centroid);
    shape.unitInertia = mass.unitInertia;
    shape.innerRadius = 0.25F * thickness;
    return {};
}

Result<void> buildMesh(Shape& shape) {
    const std::vector<std::uint32_t>& indices = shape.desc.indices;
    Result<std::vector<btVector3>> corners = scaledCorners(shape.desc);
    if (!corners) {
        return corners.error();
    }
    if (corners->empty() || indices.empty()) {
        return invalid("a mesh has no triangles");
    }
    if (indices.size() % 3 != 0) {
        return invalid("a mesh has " + std::to_string(indices.size())
                       + " indices; expected three a triangle");
    }
    if (indices.size() / 3 > 4000000 || corners->size() > 12000000) {
        return invalid("a mesh has more than 4 million triangles");
    }
    shape.corners = std::move(*corners);
    shape.triangles.reserve(indices.size());
    for (std::size_t i = 0; i < indices.size(); i += 3) {
        for (std::size_t k = 0; k < 3; ++k) {
            if (indices[i + k] >= shape.corners.size()) {
                return invalid("a mesh index is " + std::to_string(indices[i + k]) + "; expected less than "
                               + std::to_string(shape.corners.size()));
            }
        }
        const btVector3& a = shape.corners[indices[i]];
        const btVector3 normal = (shape.corners[indices[i + 1]] - a).cross(shape.corners[indices[i + 2]] - a);
        if (normal.length2() < 1e-16F) {
            continue; // a sliver without a normal only confuses contacts
        }
        for (std::size_t k = 0; k < 3; ++k) {
            shape.triangles.push_back(static_cast<int>(indices[i + k]));
        }
    }
    if (shape.triangles.empty()) {
        return invalid("a mesh has only triangles without area");
    }
    shape.mesh = std::make_unique<btTriangleIndexVertexArray>(
        static_cast<int>(shape.triangles.size() / 3), shape.triangles.data(),
        static_cast<int>(3 * sizeof(int)), static_cast<int>(shape.corners.size()),
        &shape.corners.front().m_floats[0], static_cast<int>(sizeof(btVector3)));
    auto mesh = std::make_unique<btBvhTriangleMeshShape>(shape.mesh.get(), true);
    if (shape.triangles.size() / 3 <= MaxTrianglesWithEdges) {
        shape.edges = std::make_unique<btTriangleInfoMap>();
        btGenerateInternalEdgeInfo(mesh.get(), shape.edges.get());
    }
    shape.collision = std::move(mesh);
    shape.unitInertia.setValue(0.0F, 0.0F, 0.0F);
    return {};
}

Result<void> build(Shape& shape) {
    const ShapeDesc& desc = shape.desc;
    switch (desc.kind) {
    case ShapeDesc::Kind::Box:
        for (int k = 0; k < 3; ++k) {
            if (!validLength(desc.size[k])) {
                return invalid(lengthError("an edge of a box", desc.size[k]));
            }
        }
        shape.collision = std::make_unique<btBoxShape>(toBullet(desc.size * 0.5F));
        shape.innerRadius = 0.5F * std::min({desc.size.x, desc.size.y, desc.size.z});
        break;
    case ShapeDesc::Kind::Sphere:
        if (!validLength(desc.radius)) {
            return invalid(lengthError("the radius of a sphere", desc.radius));
        }
        shape.collision = std::make_unique<btSphereShape>(desc.radius);
        shape.innerRadius = desc.radius;
        break;
    case ShapeDesc::Kind::Capsule:
    case ShapeDesc::Kind::Cylinder:
        if (!validLength(desc.radius)) {
            return invalid(lengthError("a radius", desc.radius));
        }
        if (!validLength(desc.height)) {
            return invalid(lengthError("a height", desc.height));
        }
        if (desc.kind == ShapeDesc::Kind::Capsule) {
            if (desc.height < 2.0F * desc.radius * (1.0F - 1e-5F)) {
                return invalid("the height of a capsule is " + std::to_string(desc.height)
                               + "; expected at least twice its radius, "
                               + std::to_string(2.0F * desc.radius));
            }
            shape.collision = std::make_unique<btCapsuleShape>(
                desc.radius, std::max(desc.height - 2.0F * desc.radius, 0.0F));
            shape.innerRadius = desc.radius;
        } else {
            shape.collision =
                std::make_unique<btCylinderShape>(btVector3(desc.radius, 0.5F * desc.height, desc.radius));
            shape.innerRadius = std::min(desc.radius, 0.5F * desc.height);
        }
        break;
    case ShapeDesc::Kind::Plane:
        shape.collision = std::make_unique<btStaticPlaneShape>(btVector3(0.0F, 1.0F, 0.0F), 0.0F);
        shape.unitInertia.setValue(0.0F, 0.0F, 0.0F);
        return {};
    case ShapeDesc::Kind::Hull:
        return buildHull(shape);
    case ShapeDesc::Kind::Mesh:
        return buildMesh(shape);
    }
    if (!shape.collision) {
        return invalid("a shape is of no known kind");
    }
    shape.collision->calculateLocalInertia(1.0F, shape.unitInertia);
    return {};
}

} // namespace

Result<std::shared_ptr<const Shape>> ShapeCache::get(const ShapeDesc& desc) {
    for (int k = 0; k < 3; ++k) {
        if (!std::isfinite(desc.scale[k]) || desc.scale[k] <= 0.0F) {
            return invalid("a scale is " + std::to_string(desc.scale[k]) + "; expected a positive number");
        }
    }
    ShapeDesc wanted = normalized(desc);
    const std::uint64_t hash = hashOf(wanted);
    const auto [begin, end] = m_shapes.equal_range(hash);
    for (auto it = begin; it != end;) {
        if (std::shared_ptr<const Shape> shape = it->second.lock()) {
            if (shape->desc == wanted) {
                return shape;
            }
            ++it;
        } else {
            it = m_shapes.erase(it);
        }
    }
    auto shape = std::make_shared<Shape>();
    shape->desc = std::move(wanted);
    if (Result<void> built = build(*shape); !built) {
        return built.error();
    }
    // Shapes that died under other hashes go when the table has doubled past them.
    if (m_shapes.size() >= 64 && m_shapes.size() == std::bit_floor(m_shapes.size())) {
        std::erase_if(m_shapes, [](const auto& entry) { return entry.second.expired(); });
    }
    m_shapes.emplace(hash, shape);
    return std::shared_ptr<const Shape>(std::move(shape));
}

} // namespace sbx::physics::detail
