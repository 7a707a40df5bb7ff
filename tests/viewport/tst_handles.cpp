// Handles of components: where they are, which one is under the cursor, and what a drag of them gives, against geometry by hand.

#include <QTest>

#include "engine/commands/console_commands.h"
#include "engine/session/session.h"
#include "widgets/viewport/component_handles.h"

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <cmath>

using namespace sbx;
using namespace sbx::ui;

namespace {

const Quat None(1, 0, 0, 0);

GizmoView viewFrom(const Vec3& eye, const Vec3& target) {
    return {render::lookAt(eye, target), 800, 600, 1.0F};
}

Vec2 pixelOf(const GizmoView& view, const Vec3& point) {
    const auto pixel = render::projectToPixel(view.camera, view.width, view.height, point);
    return pixel ? Vec2(pixel->x, pixel->y) : Vec2(-1e6F);
}

bool near(const Vec3& a, const Vec3& b, float within = 3e-3F) {
    return glm::length(a - b) < within;
}

// An entity with components of the program, as their defaults are but for what is set.
struct Subject {
    Log log;
    Session session{log, addConsoleCommands};
    HandleSubject subject;

    HandleSubject::Component& add(const char* name) {
        const definition::ComponentSchema* schema = session.catalog().schema.find(name);
        HandleSubject::Component component{name, schema->settings, {}};
        for (const FieldInfo& field : *schema->settings)
            component.values.push_back(field.defaultValue);
        subject.components.push_back(std::move(component));
        return subject.components.back();
    }
    static void set(HandleSubject::Component& component, std::string_view field, const Value& value) {
        component.values[index(component, field)] = value;
    }
    static std::size_t index(const HandleSubject::Component& component, std::string_view field) {
        return static_cast<std::size_t>(component.settings->find(field) - component.settings->fields().data());
    }
    [[nodiscard]] Value value(const HandleSubject& of, const char* component, const char* field) const {
        const HandleSubject::Component* found = of.find(component);
        return found->values[index(*found, field)];
    }
};

const ComponentHandle* find(const std::vector<ComponentHandle>& handles, const char* field, const Vec3& at) {
    for (const ComponentHandle& handle : handles)
        if (handle.field == field && near(handle.at, at))
            return &handle;
    return nullptr;
}

double number(const Value& value) { return std::get<double>(value); }

} // namespace

class TestHandles : public QObject {
    Q_OBJECT

private slots:
    // ---------------------------------------------------------------------------------------------------- rays

    void rayMeetsASphere() {
        const Vec3 centre(1, 2, 3);
        QVERIFY(near(onSphere(centre, 2.0F, {{1, 2, 13}, {0, 0, -1}}), {1, 2, 5}));
        QVERIFY(near(onSphere(centre, 2.0F, {{1, 2, 13}, {0, 0, -1}}, true), {1, 2, 1}));
        // 1.2 beside the middle: 1.6 towards the camera.
        QVERIFY(near(onSphere(centre, 2.0F, {{2.2F, 2, 13}, {0, 0, -1}}), {2.2F, 2, 4.6F}));
        // Past it: the nearest point of its outline.
        QVERIFY(near(onSphere(centre, 2.0F, {{9, 2, 13}, {0, 0, -1}}), {3, 2, 3}));
    }
    void rayMeetsAnAngle() {
        const Vec3 up(0, 1, 0);
        const Vec3 zero(1, 0, 0);
        const auto at = [&](float x, float z) { return angleAbout({0, 0, 0}, up, zero, {{x, 5, z}, {0, -1, 0}}); };
        QVERIFY(std::abs(*at(2, 0)) < 1e-5F);
        // Counter-clockwise, seen from where the axis points to.
        QVERIFY(std::abs(*at(0, -2) - glm::half_pi<float>()) < 1e-5F);
        QVERIFY(std::abs(*at(-1, -1) - glm::radians(135.0F)) < 1e-5F);
        QVERIFY(std::abs(*at(0, 3) + glm::half_pi<float>()) < 1e-5F);
        QVERIFY(!at(0, 0));
        QVERIFY(!angleAbout({0, 0, 0}, up, zero, {{0, 5, 0}, {1, 0, 0}})); // beside the plane
    }

    // ---------------------------------------------------------------------------------------------------- lamps and sounds

    void aLampHasItsRange() {
        Subject s;
        HandleSubject::Component& light = s.add("Light");
        Subject::set(light, "range", 3.0);
        Subject::set(light, "offset", Vec3(0, 1, 0));
        s.subject.pose = Pose{{5, 0, 0}, glm::angleAxis(glm::half_pi<float>(), Vec3(0, 0, 1)), Vec3(2.0F)}; // up is -X; not scaled
        const GizmoView view = viewFrom({4, 0, 12}, {4, 0, 0});
        const auto handles = handlesOf(s.subject, view);
        QCOMPARE(handles.size(), std::size_t(6));
        const ComponentHandle* right = find(handles, "range", {7, 0, 0});
        QVERIFY(right != nullptr && find(handles, "range", {4, -3, 0}) != nullptr);
        QVERIFY(handleAt(handles, view, pixelOf(view, {7, 0, 0}) + Vec2(3, 2)) == right);
        QVERIFY(handleAt(handles, view, pixelOf(view, {5.5F, 0.5F, 0})) == nullptr);
        const HandleDrag drag(s.subject, *right, view, pixelOf(view, right->at));
        QVERIFY(std::abs(number(drag.update(view, pixelOf(view, {8.5F, 0, 0}), {}, false).value) - 4.5) < 0.01);
        const SnapSettings snap{true, 0.5F, 15.0F, 0.1F};
        QCOMPARE(number(drag.update(view, pixelOf(view, {8.7F, 0, 0}), snap, false).value), 4.5);
        // Not below what the field allows, nor to nothing by a step.
        QCOMPARE(number(drag.update(view, pixelOf(view, {1, 0, 0}), {}, false).value), 0.01);
        QCOMPARE(number(drag.update(view, pixelOf(view, {1, 0, 0}), snap, false).value), 0.5);
        // A press that does not move changes nothing, wherever in the handle it was.
        const HandleDrag still(s.subject, *right, view, pixelOf(view, right->at) + Vec2(4, -2));
        QVERIFY(std::abs(number(still.update(view, pixelOf(view, right->at) + Vec2(4, -2), snap, false).value) - 3.0) < 1e-9);
    }
    void sidesWithoutRoomAreLeftOut() {
        Subject s;
        Subject::set(s.add("Light"), "range", 3.0);
        const GizmoView view = viewFrom({0, 0, 12}, {0, 0, 0});
        const auto all = handlesOf(s.subject, view);
        const auto shown = withRoom(all, view);
        QCOMPARE(all.size(), std::size_t(6));
        QCOMPARE(shown.size(), std::size_t(4)); // two are seen end-on
        QVERIFY(find(shown, "range", {3, 0, 0}) != nullptr && find(shown, "range", {0, 0, 3}) == nullptr);
        QVERIFY(withRoom(all, viewFrom({0, 0, 400}, {0, 0, 0})).empty());
    }
    void aSoundHasTheDistancesThatMatter() {
        Subject s;
        HandleSubject::Component& sound = s.add("Sound");
        const GizmoView view = viewFrom({0, 0, 12}, {0, 0, 0});
        QCOMPARE(handlesOf(s.subject, view).size(), std::size_t(6));
        Subject::set(sound, "distance", std::string("linear"));
        Subject::set(sound, "maximum", 4.0);
        const auto handles = handlesOf(s.subject, view);
        QCOMPARE(handles.size(), std::size_t(12));
        QVERIFY(find(handles, "reference", {1, 0, 0}) != nullptr && find(handles, "maximum", {0, 4, 0}) != nullptr);
        Subject::set(sound, "spatial", false);
        QVERIFY(handlesOf(s.subject, view).empty());
    }

    // ---------------------------------------------------------------------------------------------------- bodies

    void aBoxGrowsAboutItsMiddleOrOnOneSide() {
        Subject s;
        HandleSubject::Component& body = s.add("Body");
        Subject::set(body, "size", Vec3(2, 4, 6));
        s.subject.pose = Pose{{1, 0, 0}, None, {2, 1, 1}}; // 4 m wide in the world
        const GizmoView view = viewFrom({1, 1, 20}, {1, 0, 0});
        const auto handles = handlesOf(s.subject, view);
        QCOMPARE(handles.size(), std::size_t(6));
        const ComponentHandle* right = find(handles, "size", {3, 0, 0});
        QVERIFY(right != nullptr && right->element == 0);
        const HandleDrag drag(s.subject, *right, view, pixelOf(view, right->at));
        const Vec2 to = pixelOf(view, {4, 0, 0});
        const auto both = drag.update(view, to, {}, false);
        QVERIFY(near(std::get<Vec3>(both.value), {3, 4, 6}));
        QVERIFY(both.shift == Vec3(0.0F));
        QVERIFY(near(drag.after(both).pose.position, {1, 0, 0}));
        // One side: 4 m become 5 m, the left face stays at -1.
        const auto one = drag.update(view, to, {}, true);
        QVERIFY(near(std::get<Vec3>(one.value), {2.5F, 4, 6}));
        QVERIFY(near(drag.after(one).pose.position, {1.5F, 0, 0}));
        // The other side pulls to the left.
        const ComponentHandle* left = find(handles, "size", {-1, 0, 0});
        QVERIFY(left != nullptr);
        const HandleDrag other(s.subject, *left, view, pixelOf(view, left->at));
        QVERIFY(near(other.after(other.update(view, pixelOf(view, {-2, 0, 0}), {}, true)).pose.position, {0.5F, 0, 0}));
    }
    void roundBodiesHaveRadiusAndHeight() {
        Subject s;
        HandleSubject::Component& body = s.add("Body");
        const GizmoView view = viewFrom({0, 1, 15}, {0, 0, 0});
        Subject::set(body, "shape", std::string("sphere"));
        Subject::set(body, "radius", 2.0);
        auto handles = handlesOf(s.subject, view);
        QCOMPARE(handles.size(), std::size_t(6));
        const ComponentHandle* top = find(handles, "radius", {0, 2, 0});
        QVERIFY(top != nullptr);
        const HandleDrag grow(s.subject, *top, view, pixelOf(view, top->at));
        QVERIFY(std::abs(number(grow.update(view, pixelOf(view, {0, 3, 0}), {}, true).value) - 3.0) < 0.01);
        QVERIFY(grow.update(view, pixelOf(view, {0, 3, 0}), {}, true).shift == Vec3(0.0F)); // no faces
        Subject::set(body, "shape", std::string("capsule"));
        Subject::set(body, "radius", 0.5);
        Subject::set(body, "height", 3.0);
        handles = handlesOf(s.subject, view);
        QCOMPARE(handles.size(), std::size_t(6));
        const ComponentHandle* end = find(handles, "height", {0, 1.5F, 0});
        QVERIFY(end != nullptr && find(handles, "radius", {-0.5F, 0, 0}) != nullptr);
        const HandleDrag longer(s.subject, *end, view, pixelOf(view, end->at));
        QVERIFY(std::abs(number(longer.update(view, pixelOf(view, {0, 2, 0}), {}, false).value) - 4.0) < 0.01);
        const auto upwards = longer.update(view, pixelOf(view, {0, 2, 0}), {}, true);
        QVERIFY(std::abs(number(upwards.value) - 3.5) < 0.01 && near(upwards.shift, {0, 0.25F, 0}));
        Subject::set(body, "shape", std::string("plane"));
        QVERIFY(handlesOf(s.subject, view).empty());
    }
    void aRoomKeepsItsEntity() {
        Subject s;
        HandleSubject::Component& room = s.add("Room");
        Subject::set(room, "size", Vec3(8, 4, 6));
        Subject::set(room, "offset", Vec3(0, 2, 0));
        const GizmoView view = viewFrom({0, 3, 25}, {0, 2, 0});
        const auto handles = handlesOf(s.subject, view);
        const ComponentHandle* top = find(handles, "size", {0, 4, 0});
        QVERIFY(top != nullptr);
        const HandleDrag drag(s.subject, *top, view, pixelOf(view, top->at));
        const HandleSubject after = drag.after(drag.update(view, pixelOf(view, {0, 6, 0}), {}, true));
        QVERIFY(near(after.pose.position, {0, 0, 0}));
        QVERIFY(near(std::get<Vec3>(s.value(after, "Room", "size")), {8, 6, 6}, 0.02F));
        QVERIFY(near(std::get<Vec3>(s.value(after, "Room", "offset")), {0, 3, 0}, 0.02F));
        // No smaller than a room may be.
        QCOMPARE(std::get<Vec3>(drag.update(view, pixelOf(view, {0, -20, 0}), {}, false).value).y, 1.0F);
    }

    // ---------------------------------------------------------------------------------------------------- hinges

    void aHingeHasAnAxisAndAnAnchor() {
        Subject s;
        HandleSubject::Component& hinge = s.add("Hinge");
        Subject::set(hinge, "anchor", Vec3(-1, 0, 0));
        s.subject.pose = Pose{{2, 0, 0}, None, {2, 1, 1}};
        const GizmoView view = viewFrom({0, 0, 10}, {0, 0, 0});
        const auto handles = handlesOf(s.subject, view);
        QCOMPARE(handles.size(), std::size_t(2)); // no limits
        const ComponentHandle* anchor = find(handles, "anchor", {0, 0, 0});
        QVERIFY(anchor != nullptr);
        const HandleDrag move(s.subject, *anchor, view, pixelOf(view, anchor->at));
        QVERIFY(near(std::get<Vec3>(move.update(view, pixelOf(view, {1, 2, 0}), {}, false).value), {-0.5F, 2, 0}));
        QVERIFY(near(std::get<Vec3>(move.update(view, pixelOf(view, {1.1F, 2.2F, 0}), {true, 0.5F, 15, 0.1F}, false).value), {-0.5F, 2, 0}));

        const float length = view.metresAt({0, 0, 0}) * handles::AxisPixels;
        const ComponentHandle* axis = find(handles, "axis", {0, length, 0});
        QVERIFY(axis != nullptr);
        const HandleDrag turn(s.subject, *axis, view, pixelOf(view, axis->at));
        // To a point of the sphere that is seen, 60 degrees from the camera's direction.
        const Vec3 wanted = glm::normalize(Vec3(0.6F, 0.5F, 0.62F));
        QVERIFY(near(std::get<Vec3>(turn.update(view, pixelOf(view, wanted * length), {}, false).value), wanted, 0.01F));
        // Outside: the direction of the sphere's point nearest to the ray, which is across it.
        QVERIFY(near(std::get<Vec3>(turn.update(view, pixelOf(view, {8, 0, 0}), {}, false).value), glm::normalize(Vec3(10, 0, 8)), 2e-3F));
        // By steps it reaches the axes exactly.
        const auto snapped = std::get<Vec3>(turn.update(view, pixelOf(view, Vec3(0.08F, 0.05F, 1.0F) * length), {true, 0.5F, 15, 0.1F}, false).value);
        QVERIFY(near(snapped, {0, 0, 1}, 1e-4F));
    }
    void limitsAreAnArc() {
        Subject s;
        HandleSubject::Component& hinge = s.add("Hinge");
        Subject::set(hinge, "anchor", Vec3(-2, 0, 0));
        Subject::set(hinge, "lower", -30.0);
        Subject::set(hinge, "upper", 90.0);
        const GizmoView view = viewFrom({-2, 12, 0.01F}, {-2, 0, 0}); // from above
        const auto handles = handlesOf(s.subject, view);
        QCOMPARE(handles.size(), std::size_t(4));
        // The angle 0 is towards the origin; positive ones are counter-clockwise from above.
        const ComponentHandle* upper = find(handles, "upper", {-2, 0, -2});
        QVERIFY(upper != nullptr);
        QVERIFY(find(handles, "lower", {-2 + 2 * std::cos(glm::radians(30.0F)), 0, 2 * std::sin(glm::radians(30.0F))}) != nullptr);
        const HandleDrag drag(s.subject, *upper, view, pixelOf(view, upper->at));
        const auto to = [&](float degrees) {
            return pixelOf(view, Vec3(-2, 0, 0) + Vec3(std::cos(glm::radians(degrees)), 0, -std::sin(glm::radians(degrees))) * 2.0F);
        };
        QVERIFY(std::abs(number(drag.update(view, to(120.0F), {}, false).value) - 120.0) < 0.2);
        QCOMPARE(number(drag.update(view, to(121.0F), {true, 0.5F, 15.0F, 0.1F}, false).value), 120.0);
        // Over half a turn it stops.
        QCOMPARE(number(drag.update(view, to(200.0F), {}, false).value), 180.0);
        // A living hinge that has turned keeps its limits where they are.
        s.subject.pose = Pose{Vec3(-2, 0, 0) + Vec3(0, 0, -2), glm::angleAxis(glm::half_pi<float>(), Vec3(0, 1, 0)), Vec3(1.0F)};
        s.subject.turnedDegrees = 90.0F;
        QVERIFY(find(handlesOf(s.subject, view), "upper", {-2, 0, -2}) != nullptr);
    }
    void shapesAreDrawnWhereTheHandlesAre() {
        Subject s;
        Subject::set(s.add("Light"), "range", 3.0);
        const GizmoView view = viewFrom({0, 0, 12}, {0, 0, 0});
        render::DebugDraw draw;
        drawHandleShapes(draw, s.subject, view, Vec4(1.0F));
        QVERIFY(!draw.lines.empty());
        for (const render::Line& line : draw.lines)
            QVERIFY(std::abs(glm::length(line.from) - 3.0F) < 1e-3F);
        HandleSubject::Component& body = s.add("Body");
        Subject::set(body, "shape", std::string("capsule"));
        Subject::set(body, "radius", 0.5);
        Subject::set(body, "height", 3.0);
        s.subject.components.erase(s.subject.components.begin());
        draw.lines.clear();
        drawHandleShapes(draw, s.subject, view, Vec4(1.0F));
        float highest = 0.0F;
        for (const render::Line& line : draw.lines) {
            // On the surface: half a metre from the line between the centres of the caps.
            const Vec3 nearest(0.0F, std::clamp(line.from.y, -1.0F, 1.0F), 0.0F);
            QVERIFY(std::abs(glm::length(line.from - nearest) - 0.5F) < 1e-3F);
            highest = std::max(highest, line.from.y);
        }
        QVERIFY(std::abs(highest - 1.5F) < 1e-3F);
    }
};

QTEST_MAIN(TestHandles)
#include "tst_handles.moc"
