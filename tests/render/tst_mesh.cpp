#include <QtTest>

#include "engine/render/mesh.h"

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <array>
#include <cmath>
#include <map>
#include <thread>
#include <tuple>

using namespace sbx;
using namespace sbx::render;

namespace {

using Corner = std::tuple<long, long, long>;

Vec3 drawn(const MeshVertex& vertex) { return vertex.position + vertex.inset * 0.05F; }
Corner corner(const Vec3& p) {
    return {std::lround(p.x * 1e5F), std::lround(p.y * 1e5F), std::lround(p.z * 1e5F)};
}

// Every edge is walked once each way: no holes, all triangles turned the same way.
bool isClosed(const MeshData& mesh, const std::vector<std::uint32_t>& indices) {
    std::map<std::pair<Corner, Corner>, int> edges;
    for (std::size_t t = 0; t < indices.size(); t += 3) {
        for (std::size_t k = 0; k < 3; ++k) {
            const Corner a = corner(drawn(mesh.vertices[indices[t + k]]));
            const Corner b = corner(drawn(mesh.vertices[indices[t + (k + 1) % 3]]));
            if (a != b) {
                ++edges[{a, b}];
            }
        }
    }
    for (const auto& [edge, count] : edges) {
        const auto back = edges.find({edge.second, edge.first});
        if (back == edges.end() || back->second != count) {
            return false;
        }
    }
    return true;
}

// By the divergence theorem; positive when triangles look outward.
float volumeOf(const MeshData& mesh, const std::vector<std::uint32_t>& indices) {
    float volume = 0.0F;
    for (std::size_t t = 0; t < indices.size(); t += 3) {
        volume +=
            glm::dot(mesh.vertices[indices[t]].position, glm::cross(mesh.vertices[indices[t + 1]].position,
                                                                    mesh.vertices[indices[t + 2]].position))
            / 6.0F;
    }
    return volume;
}

void writeFile(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
}

QByteArray triangleGltf() {
    const std::array<float, 9> positions = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const QByteArray bytes(reinterpret_cast<const char*>(positions.data()), sizeof(positions));
    return R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
        "nodes":[{"mesh":0,"translation":[0,0,5],"scale":[2,2,2]}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}],
        "bufferViews":[{"buffer":0,"byteLength":36}],
        "buffers":[{"byteLength":36,"uri":"data:application/octet-stream;base64,)"
           + bytes.toBase64() + R"("}]})";
}

const char* const CubeObj =
    "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\n"
    "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

} // namespace

class TestMesh : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

private slots:
    void primitives_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<float>("volume");
        QTest::addColumn<float>("tolerance");
        const float pi = glm::pi<float>();
        QTest::newRow("box") << "box" << 1.0F << 1e-5F;
        QTest::newRow("sphere") << "sphere" << pi / 6.0F << 0.02F;
        QTest::newRow("cylinder") << "cylinder" << pi / 4.0F << 0.02F;
        QTest::newRow("cone") << "cone" << pi / 12.0F << 0.02F;
        QTest::newRow("wedge") << "wedge" << 0.5F << 1e-5F;
        // A cylinder of the length between the caps, and a sphere.
        QTest::newRow("capsule") << "capsule:0.5:3" << pi * 0.25F * 2.0F + pi / 6.0F << 0.08F;
    }
    void primitives() {
        QFETCH(QString, key);
        QFETCH(float, volume);
        QFETCH(float, tolerance);
        MeshLibrary library;
        const auto id = library.find(key.toStdString());
        QVERIFY(id.ok());
        const auto mesh = library.data(*id);
        QVERIFY(std::abs(volumeOf(*mesh, mesh->indices) - volume) < tolerance);
        if (key != QLatin1String("cone")) { // its tip is a ring of no size to speak of
            QVERIFY(isClosed(*mesh, mesh->indices));
        }
        if (!mesh->coarseIndices.empty()) {
            QVERIFY(mesh->coarseIndices.size() < mesh->indices.size() / 2);
            QVERIFY(isClosed(*mesh, mesh->coarseIndices));
            QVERIFY(volumeOf(*mesh, mesh->coarseIndices) > 0.85F * volume);
        }
        for (const std::uint32_t index : mesh->indices) {
            QVERIFY(index < mesh->vertices.size());
        }
        for (const MeshVertex& vertex : mesh->vertices) {
            QVERIFY(std::abs(glm::length(vertex.normal) - 1.0F) < 1e-4F);
            QVERIFY(glm::all(glm::greaterThanEqual(vertex.position, mesh->bounds.minimum)));
            QVERIFY(glm::all(glm::lessThanEqual(vertex.position, mesh->bounds.maximum)));
        }
    }

    void capsuleHasTheWholeHeight() {
        const MeshData mesh = makeCapsule(0.3F, 1.8F);
        QVERIFY(std::abs(mesh.bounds.size().y - 1.8F) < 1e-5F);
        QVERIFY(std::abs(mesh.bounds.size().x - 0.6F) < 1e-5F);
        // Lower than its caps: a sphere.
        QVERIFY(std::abs(makeCapsule(0.5F, 0.2F).bounds.size().y - 1.0F) < 1e-5F);
    }

    void badKeys_data() {
        QTest::addColumn<QString>("key");
        for (const char* key : {"", "bx", "capsule:", "capsule:1", "capsule:a:b", "capsule:-1:2",
                                "capsule:0:2", "capsule:1:nan", "capsule:1:2:3", "capsule:1:99999999",
                                "nowhere.obj", "../../etc/passwd", ".", "a.obj\n"}) {
            QTest::newRow(key) << QString::fromLatin1(key);
        }
    }
    void badKeys() {
        QFETCH(QString, key);
        MeshLibrary library;
        const auto id = library.find(key.toStdString());
        QVERIFY(!id.ok());
        QVERIFY(!id.error().message.empty());
        QCOMPARE(library.size(), std::size_t(0));
    }

    void libraryGivesOneIdAKey() {
        writeFile(m_folder.filePath(QStringLiteral("cube.obj")), CubeObj);
        MeshLibrary library(m_folder.path().toStdString());
        const MeshId box = *library.find("box");
        const MeshId cube = *library.find("cube.obj");
        QVERIFY(box != cube);
        QCOMPARE(*library.find("box"), box);
        QCOMPARE(*library.find("./cube.obj"), cube);
        QCOMPARE(*library.find("sub/../cube.obj"), cube);
        QCOMPARE(library.key(box), std::string("box"));
        QVERIFY(!library.data(MeshId{}));
        QVERIFY(!library.data(MeshId{99}));
        const MeshId own = library.add("own", makeBox());
        QCOMPARE(*library.find("own"), own);
        const auto before = library.data(own);
        QCOMPARE(library.add("own", makeSphere()), own);
        QVERIFY(library.data(own) != before);
    }

    void libraryIsSafeFromThreads() {
        MeshLibrary library;
        std::vector<std::thread> threads;
        std::array<MeshId, 8> ids{};
        for (std::size_t t = 0; t < ids.size(); ++t) {
            threads.emplace_back([&, t] {
                for (int i = 0; i < 50; ++i) {
                    ids[t] = *library.find("capsule:0.3:" + std::to_string(1 + i % 5));
                    if (!library.data(ids[t])) {
                        ids[t] = MeshId{};
                        return;
                    }
                }
            });
        }
        for (std::thread& thread : threads) {
            thread.join();
        }
        QCOMPARE(library.size(), std::size_t(5));
        for (const MeshId id : ids) {
            QVERIFY(id);
        }
    }

    void readsObj() {
        const QString path = m_folder.filePath(QStringLiteral("cube.obj"));
        writeFile(path, CubeObj);
        const auto mesh = loadMesh(path.toStdString());
        QVERIFY2(mesh.ok(), mesh.ok() ? "" : mesh.error().message.c_str());
        QCOMPARE(mesh->indices.size(), std::size_t(36));
        QCOMPARE(mesh->bounds, (Bounds{Vec3(-1), Vec3(1)}));
        QVERIFY(std::abs(volumeOf(*mesh, mesh->indices) - 8.0F) < 1e-4F);
        QVERIFY(isClosed(*mesh, mesh->indices));
    }

    void readsGltfWithItsNodes() {
        const QString path = m_folder.filePath(QStringLiteral("triangle.gltf"));
        writeFile(path, triangleGltf());
        const auto mesh = loadMesh(path.toStdString());
        QVERIFY2(mesh.ok(), mesh.ok() ? "" : mesh.error().message.c_str());
        QCOMPARE(mesh->indices.size(), std::size_t(3));
        QCOMPARE(mesh->bounds, (Bounds{Vec3(0, 0, 5), Vec3(2, 2, 5)}));
    }

    void badFiles_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("bytes");
        const auto row = [](const char* name, const char* file, const QByteArray& bytes) {
            QTest::newRow(name) << QString::fromLatin1(file) << bytes;
        };
        row("empty", "a.obj", "");
        row("prose", "a.obj", "This is not a mesh.\nNot at all.\n");
        row("binary", "a.obj", QByteArray(4096, '\xFE'));
        row("points only", "a.obj", "v 0 0 0\nv 1 1 1\np 1 2\n");
        row("no faces", "a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n");
        row("index out of range", "a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 99999999\n");
        row("unknown format", "a.txt", CubeObj);
        row("no format", "mesh", CubeObj);
        row("gltf prose", "a.gltf", "hello");
        row("gltf cut", "a.gltf", triangleGltf().left(300));
        row("gltf of nothing", "a.gltf", "{}");
        row("gltf list", "a.gltf", "[1,2,3]");
        row("gltf buffer missing", "a.gltf",
            QByteArray(triangleGltf()).replace(R"("bufferView":0,)", R"("bufferView":7,)"));
        row("glb header only", "a.glb", QByteArray("glTF\x02\0\0\0\xFF\xFF\xFF\x7F", 12));
        row("glb noise", "a.glb", QByteArray(1000, '\x5A'));
    }
    void badFiles() {
        QFETCH(QString, name);
        QFETCH(QByteArray, bytes);
        const QString path = m_folder.filePath(QStringLiteral("bad_") + name);
        writeFile(path, bytes);
        const auto mesh = loadMesh(path.toStdString());
        QVERIFY(!mesh.ok());
        QCOMPARE(mesh.error().file, path.toStdString());
        QVERIFY(!mesh.error().message.empty());
        QVERIFY(mesh.error().message.find('\n') == std::string::npos);
    }

    void hostileNumbersNeverComeThrough() {
        for (const char* number : {"nan", "inf", "1e999", "-1e39", "0x10", "1e", "--1"}) {
            const QString path = m_folder.filePath(QStringLiteral("numbers.obj"));
            writeFile(path, QByteArray("v ") + number + " 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
            const auto mesh = loadMesh(path.toStdString());
            if (mesh.ok()) {
                for (const MeshVertex& vertex : mesh->vertices) {
                    QVERIFY2(isFinite(vertex.position) && isFinite(vertex.normal), number);
                }
            }
        }
    }

    void foldersAndMissingFiles() {
        QVERIFY(QDir(m_folder.path()).mkdir(QStringLiteral("folder.obj")));
        const auto folder = loadMesh(m_folder.filePath(QStringLiteral("folder.obj")).toStdString());
        QVERIFY(!folder.ok());
        QVERIFY(folder.error().message.find("folder") != std::string::npos);
        const auto missing = loadMesh(m_folder.filePath(QStringLiteral("missing.glb")).toStdString());
        QVERIFY(!missing.ok());
        QVERIFY(missing.error().message.find("cannot be found") != std::string::npos);
    }

    void aFailedKeyMayBeTriedAgain() {
        MeshLibrary library(m_folder.path().toStdString());
        QVERIFY(!library.find("late.obj").ok());
        writeFile(m_folder.filePath(QStringLiteral("late.obj")), CubeObj);
        QVERIFY(library.find("late.obj").ok());
    }
};

QTEST_GUILESS_MAIN(TestMesh)
#include "tst_mesh.moc"
