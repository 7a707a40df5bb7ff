// Thumbnails: what is drawn, that it is the same each time, and that no mesh makes it fail or take for ever.

#include <QtTest>

#include "engine/render/thumbnail.h"

#include <limits>

using namespace sbx;
using namespace sbx::render;

namespace {
constexpr int Edge = 64;

int drawnPixels(const Image& image) {
    int count = 0;
    for (std::size_t i = 3; i < image.rgba.size(); i += 4)
        count += image.rgba[i] != 0 ? 1 : 0;
    return count;
}

MeshData triangle(const Vec3& a, const Vec3& b, const Vec3& c) {
    MeshData mesh;
    mesh.vertices = {{a}, {b}, {c}};
    mesh.indices = {0, 1, 2};
    mesh.bounds = {glm::min(a, glm::min(b, c)), glm::max(a, glm::max(b, c))};
    return mesh;
}
} // namespace

class TestThumbnail : public QObject {
    Q_OBJECT
private slots:
    // As large as it fits, in the middle, the corners free, and lit from more than one side.
    void aBoxIsDrawn() {
        const Image image = drawThumbnail(makeBox(), Edge);
        QCOMPARE(image.width, Edge);
        QCOMPARE(image.height, Edge);
        QCOMPARE(image.rgba.size(), std::size_t{Edge} * Edge * 4);
        QVERIFY2(drawnPixels(image) > Edge * Edge / 3, qPrintable(QString::number(drawnPixels(image))));
        QVERIFY(drawnPixels(image) < Edge * Edge * 9 / 10);
        for (const auto& [x, y] : {std::pair(0, 0), std::pair(Edge - 1, 0), std::pair(0, Edge - 1), std::pair(Edge - 1, Edge - 1)})
            QCOMPARE(int{image.at(x, y)[3]}, 0);
        QCOMPARE(int{image.at(Edge / 2, Edge / 2)[3]}, 255);
        QVERIFY2(image.at(Edge / 2, Edge / 5)[0] > image.at(Edge / 2 + Edge / 6, Edge * 2 / 3)[0] + 10, "the top is the brightest face");
        QVERIFY(drawThumbnail(makeBox(), Edge).rgba == image.rgba);
    }
    // Size does not matter: a mesh of a millimetre and one of a kilometre give the same picture.
    void itFits() {
        MeshData large = makeSphere();
        for (MeshVertex& vertex : large.vertices)
            vertex.position *= 1024.0F;
        large.bounds.minimum *= 1024.0F;
        large.bounds.maximum *= 1024.0F;
        QVERIFY(drawThumbnail(large, Edge).rgba == drawThumbnail(makeSphere(), Edge).rgba);
    }
    void hostileMeshes() {
        constexpr float Most = std::numeric_limits<float>::max();
        QVERIFY(drawnPixels(drawThumbnail(triangle({-Most, -Most, 0}, {Most, -Most, 0}, {0, Most, 0}), Edge)) > 0);
        QCOMPARE(drawnPixels(drawThumbnail(triangle(Vec3(0.0F), Vec3(0.0F), Vec3(0.0F)), Edge)), 0);
        QCOMPARE(drawnPixels(drawThumbnail(MeshData(), Edge)), 0);
        QCOMPARE(drawThumbnail(makeBox(), -5).width, 8);
        QCOMPARE(drawThumbnail(makeBox(), 1 << 30).width, 1024);
        // Millions of triangles over the whole picture would be hours of work: what it takes is bounded.
        MeshData many = triangle({-1, -1, 0}, {1, -1, 0}, {0, 1, 0});
        many.indices.reserve(24'000'000);
        while (many.indices.size() < 24'000'000)
            many.indices.insert(many.indices.end(), {0, 1, 2});
        QVERIFY(drawnPixels(drawThumbnail(many, 160)) > 0);
    }
};

QTEST_GUILESS_MAIN(TestThumbnail)
#include "tst_thumbnail.moc"
