#include "engine/spatial/box.h"

#include <QtTest>

#include <glm/gtc/matrix_transform.hpp>

#include <limits>

using namespace sbx;
using namespace sbx::spatial;

namespace {
constexpr float Nan = std::numeric_limits<float>::quiet_NaN();
constexpr float Infinite = std::numeric_limits<float>::infinity();
} // namespace

class TestBox : public QObject {
    Q_OBJECT

private slots:
    void raggedBoxesAreExplained_data() {
        QTest::addColumn<QList<float>>("corners");
        QTest::addColumn<QString>("says");
        QTest::newRow("good") << QList<float>{-1, -1, -1, 1, 1, 1} << QString();
        QTest::newRow("smallest") << QList<float>{0, 0, 0, 1e-30F, 1e-30F, 1e-30F} << QString();
        QTest::newRow("the world") << QList<float>{-Limit, -Limit, -Limit, Limit, Limit, Limit} << QString();
        QTest::newRow("a point") << QList<float>{1, 1, 1, 1, 1, 1} << "without extent along x";
        QTest::newRow("flat") << QList<float>{0, 2, 0, 1, 2, 1} << "without extent along y";
        QTest::newRow("negative") << QList<float>{0, 0, 1, 1, 1, -1} << "swapped along z";
        QTest::newRow("nan") << QList<float>{0, Nan, 0, 1, 1, 1} << "not finite along y";
        QTest::newRow("nan max") << QList<float>{0, 0, 0, 1, 1, Nan} << "not finite along z";
        QTest::newRow("infinite") << QList<float>{-Infinite, 0, 0, Infinite, 1, 1} << "not finite along x";
        QTest::newRow("beyond") << QList<float>{0, 0, 0, 1, 1, 2e18F} << "beyond 1e18 along z";
    }
    void raggedBoxesAreExplained() {
        QFETCH(QList<float>, corners);
        QFETCH(QString, says);
        const Box box{{corners[0], corners[1], corners[2]}, {corners[3], corners[4], corners[5]}};
        const Result<void> result = check(box);
        QCOMPARE(result.ok(), says.isEmpty());
        if (!result) {
            const QString message = QString::fromStdString(result.error().message);
            QVERIFY2(message.contains(says), qPrintable(message));
            QVERIFY2(message.contains("expected"), qPrintable(message));
        }
    }
    void flatThingsGetAnExtent() {
        const Box box = withExtent({{0, 2, 0}, {1, 2, 0.01F}}, 0.1F);
        QVERIFY(check(box).ok());
        QCOMPARE(box.min.y, 1.95F);
        QCOMPARE(box.max.y, 2.05F);
        QCOMPARE(box.max.x, 1.0F);
        QVERIFY(std::abs(box.max.z - box.min.z - 0.1F) < 1e-6F);
    }
    void distanceToSidesEdgesAndCorners() {
        const Box box{{0, 0, 0}, {1, 2, 3}};
        QCOMPARE(distanceSquared(box, {0.5F, 1, 1}), 0.0F);
        QCOMPARE(distanceSquared(box, {-2, 1, 1}), 4.0F);
        QCOMPARE(distanceSquared(box, {-2, 3, 1}), 5.0F);
        QCOMPARE(distanceSquared(box, {3, 4, 5}), 12.0F);
    }
    void aTransformedBoxHoldsItsCorners() {
        const Mat4 matrix = glm::rotate(glm::translate(Mat4(1.0F), Vec3(3, -2, 1)), 0.7F, Vec3(0.6F, 0.0F, 0.8F));
        const Box box{{-1, 0, 2}, {1, 4, 3}};
        const Box turned = transformed(box, matrix);
        Box exact{Vec3(Infinite), Vec3(-Infinite)};
        for (int i = 0; i < 8; ++i) {
            const Vec3 corner((i & 1) != 0 ? box.max.x : box.min.x, (i & 2) != 0 ? box.max.y : box.min.y,
                              (i & 4) != 0 ? box.max.z : box.min.z);
            const Vec3 moved = Vec3(matrix * Vec4(corner, 1.0F));
            exact = merged(exact, {moved, moved});
        }
        QVERIFY(glm::distance(turned.min, exact.min) < 1e-5F);
        QVERIFY(glm::distance(turned.max, exact.max) < 1e-5F);
    }
    void frustumPlanesPointInward() {
        const Mat4 view = glm::lookAt(Vec3(0, 0, 10), Vec3(0, 0, 0), Vec3(0, 1, 0));
        const Frustum frustum = Frustum::of(glm::perspective(1.0F, 1.5F, 1.0F, 100.0F) * view);
        const auto inside = [&frustum](const Vec3& p) {
            for (const Vec4& plane : frustum.planes) {
                if (glm::dot(Vec3(plane), p) + plane.w < 0.0F) {
                    return false;
                }
            }
            return true;
        };
        QVERIFY(inside({0, 0, 0}));
        QVERIFY(inside({0, 0, -89}));
        QVERIFY(!inside({0, 0, -91}));
        QVERIFY(!inside({0, 0, 9.5F}));
        QVERIFY(!inside({0, 0, 12}));
        QVERIFY(!inside({0, 6, 0}));
        QVERIFY(inside({0, 5, 0}));
        QVERIFY(inside({7.5F, 0, 0}));
        QVERIFY(!inside({-9, 0, 0}));
    }
};

QTEST_GUILESS_MAIN(TestBox)
#include "tst_box.moc"
