// Meshes as the project of a stranger may name them: each row did harm before meshes were imported in a process of their own.

#include <QtTest>

#include "engine/render/mesh.h"
#include "tests/import/hostile_folder.h"

#include <array>

using namespace sbx;
using namespace sbx::render;
using sbx::test::HostileFolder;

namespace {

QByteArray triangleBytes() {
    const std::array<float, 9> positions = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    return {reinterpret_cast<const char*>(positions.data()), sizeof(positions)};
}

// One triangle whose positions lie in the file of that name. `nodes`: JSON of the nodes, the first of which is the root.
QByteArray gltf(const QByteArray& uri, const QByteArray& nodes = R"({"mesh":0})") {
    return R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[)" + nodes
           + R"(],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}],
        "bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36,"uri":")"
           + uri + R"("}]})";
}

QByteArray inlineBytes() { return "data:application/octet-stream;base64," + triangleBytes().toBase64(); }

const char* const TriangleObj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

} // namespace

class TestHostileMeshes : public QObject {
    Q_OBJECT

    HostileFolder m_folder;

    void refused(const char* name, const char* why) {
        MeshLibrary library(m_folder.root());
        const Result<MeshId> mesh = library.find(name);
        QVERIFY2(!mesh.ok(), "the mesh was read");
        QVERIFY2(mesh.error().message.find(why) != std::string::npos, mesh.error().message.c_str());
        QVERIFY(mesh.error().message.find('\n') == std::string::npos);
        QCOMPARE(library.size(), std::size_t(0));
    }
    void read(const char* name) {
        MeshLibrary library(m_folder.root());
        const Result<MeshId> mesh = library.find(name);
        QVERIFY2(mesh.ok(), mesh.ok() ? "" : mesh.error().message.c_str());
        QCOMPARE(library.data(*mesh)->indices.size(), std::size_t(3));
    }

private slots:
    void initTestCase() {
        HostileFolder::write(m_folder.outside(QStringLiteral("secret.bin")), triangleBytes());
        HostileFolder::write(m_folder.outside(QStringLiteral("secret.obj")), TriangleObj);
        HostileFolder::write(m_folder.inside(QStringLiteral("good.bin")), triangleBytes());
    }

    // What a good project does goes on working.
    void filesOfTheProjectAreRead() {
        QVERIFY(QDir(m_folder.inside({})).mkpath(QStringLiteral("meshes/parts")));
        HostileFolder::write(m_folder.inside(QStringLiteral("meshes/parts/my triangle.bin")),
                             triangleBytes());
        HostileFolder::write(m_folder.inside(QStringLiteral("meshes/beside.gltf")),
                             gltf("parts/my%20triangle.bin"));
        read("meshes/beside.gltf");
        HostileFolder::write(m_folder.inside(QStringLiteral("meshes/above.gltf")), gltf("../good.bin"));
        read("meshes/above.gltf");
        HostileFolder::write(m_folder.inside(QStringLiteral("inline.gltf")), gltf(inlineBytes()));
        read("inline.gltf");
        HostileFolder::link(m_folder.inside(QStringLiteral("inline.gltf")),
                            m_folder.inside(QStringLiteral("link.gltf")));
        read("link.gltf");
        HostileFolder::write(m_folder.inside(QStringLiteral("UPPER.OBJ")), TriangleObj);
        read("UPPER.OBJ");
        read(m_folder.inside(QStringLiteral("UPPER.OBJ")).toLocal8Bit().constData());
    }

    void aMeshOutsideOfTheProject() {
        refused("../secret.obj", "outside of the project's folder");
        refused(m_folder.outside(QStringLiteral("secret.obj")).toLocal8Bit().constData(),
                "outside of the project's folder");
        HostileFolder::link(m_folder.outside(QStringLiteral("secret.obj")),
                            m_folder.inside(QStringLiteral("innocent.obj")));
        refused("innocent.obj", "outside of the project's folder");
        HostileFolder::link(m_folder.outside(QStringLiteral(".")), m_folder.inside(QStringLiteral("up")));
        refused("up/secret.obj", "outside of the project's folder");
    }

    void aBufferOutsideOfTheProject_data() {
        QTest::addColumn<QByteArray>("uri");
        QTest::newRow("above") << QByteArray("../secret.bin");
        QTest::newRow("above, in percents") << QByteArray("%2e%2e%2fsecret.bin");
        QTest::newRow("absolute") << m_folder.outside(QStringLiteral("secret.bin")).toLocal8Bit();
        QTest::newRow("link") << QByteArray("innocent.bin");
        HostileFolder::link(m_folder.outside(QStringLiteral("secret.bin")),
                            m_folder.inside(QStringLiteral("innocent.bin")));
    }
    void aBufferOutsideOfTheProject() {
        QFETCH(QByteArray, uri);
        HostileFolder::write(m_folder.inside(QStringLiteral("steals.gltf")), gltf(uri));
        refused("steals.gltf", "lies outside of the project's folder; expected a path inside it");
    }

    void aBufferThatIsNoFile() {
        HostileFolder::pipe(m_folder.inside(QStringLiteral("pipe.bin")));
        HostileFolder::write(m_folder.inside(QStringLiteral("waits.gltf")), gltf("pipe.bin"));
        refused("waits.gltf", "is a FIFO");
        HostileFolder::link(QStringLiteral("/dev/zero"), m_folder.inside(QStringLiteral("zero.bin")));
        HostileFolder::write(m_folder.inside(QStringLiteral("zero.gltf")), gltf("zero.bin"));
        refused("zero.gltf", "outside of the project's folder");
    }

    // A material library is never opened: here opening it would wait for ever.
    void materialsAreNotRead() {
        HostileFolder::pipe(m_folder.outside(QStringLiteral("paint.mtl")));
        HostileFolder::write(m_folder.inside(QStringLiteral("painted.obj")),
                             QByteArray("mtllib ../paint.mtl\nusemtl red\n") + TriangleObj);
        read("painted.obj");
        HostileFolder::pipe(m_folder.inside(QStringLiteral("quiet.mtl"))); // Assimp's own guess
        HostileFolder::write(m_folder.inside(QStringLiteral("quiet.obj")),
                             QByteArray("mtllib nothing.mtl\n") + TriangleObj);
        read("quiet.obj");
    }

    void otherFormatsByAnotherName_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("bytes");
        const QByteArray stl = "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex "
                               "0 1 0\nendloop\nendfacet\nendsolid a\n";
        const QByteArray off = "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
        const QByteArray ply =
            "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
            "element face 1\nproperty list uchar int vertex_index\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 "
            "2\n";
        for (const char* ending : {"gltf", "glb", "obj"}) {
            QTest::addRow("STL as %s", ending) << QStringLiteral("stl.") + QLatin1String(ending) << stl;
            QTest::addRow("OFF as %s", ending) << QStringLiteral("off.") + QLatin1String(ending) << off;
            QTest::addRow("PLY as %s", ending) << QStringLiteral("ply.") + QLatin1String(ending) << ply;
        }
        QTest::addRow("OBJ as gltf") << QStringLiteral("obj.gltf") << QByteArray("# obj\n") + TriangleObj;
    }
    void otherFormatsByAnotherName() {
        QFETCH(QString, name);
        QFETCH(QByteArray, bytes);
        HostileFolder::write(m_folder.inside(name), bytes);
        refused(name.toLatin1().constData(), "");
    }

    void olderGltf() {
        HostileFolder::write(m_folder.inside(QStringLiteral("old.gltf")),
                             gltf(inlineBytes()).replace("2.0", "1.0"));
        refused("old.gltf", "is glTF 1.0; expected 2.0");
    }

    // A few hundred bytes that were a million nodes: each below two others.
    void nodesThatDouble() {
        QByteArray nodes;
        for (int i = 1; i <= 20; ++i)
            nodes += QByteArrayLiteral("{\"children\":[") + QByteArray::number(i) + ','
                     + QByteArray::number(i) + "]},";
        HostileFolder::write(m_folder.inside(QStringLiteral("bomb.gltf")),
                             gltf(inlineBytes(), nodes + R"({"mesh":0})"));
        refused("bomb.gltf", "has a node below two others, or below itself: nodes[1]; expected a tree");
    }
    void nodesThatTurnInACircle() {
        HostileFolder::write(m_folder.inside(QStringLiteral("circle.gltf")),
                             gltf(inlineBytes(), R"({"children":[1]},{"children":[0],"mesh":0})"));
        refused("circle.gltf", "expected a tree");
    }
    void nodesThatGoDeep() {
        QByteArray nodes;
        for (int i = 1; i <= 300; ++i)
            nodes += QByteArrayLiteral("{\"children\":[") + QByteArray::number(i) + "]},";
        HostileFolder::write(m_folder.inside(QStringLiteral("deep.gltf")),
                             gltf(inlineBytes(), nodes + R"({"mesh":0})"));
        refused("deep.gltf", "nested more than 256 deep");
    }

    // Three vertices, a thousand triangles of them, shown by ten thousand nodes.
    void meshesThatAreShownOften() {
        constexpr int Indices = 3000;
        QByteArray bytes = triangleBytes();
        for (int i = 0; i < Indices; ++i)
            bytes += static_cast<char>(i % 3);
        QByteArray nodes = "{\"children\":[";
        QByteArray others;
        for (int i = 1; i <= 10'000; ++i) {
            nodes += (i > 1 ? "," : "") + QByteArray::number(i);
            others += ",{\"mesh\":0}";
        }
        QByteArray text =
            gltf("data:application/octet-stream;base64," + bytes.toBase64(), nodes + "]}" + others);
        text.replace("{\"POSITION\":0}", "{\"POSITION\":0},\"indices\":1");
        text.replace(
            "\"max\":[1,1,0]}",
            "\"max\":[1,1,0]},{\"bufferView\":1,\"componentType\":5121,\"count\":3000,\"type\":\"SCALAR\"}");
        text.replace("\"byteLength\":36}]",
                     "\"byteLength\":36},{\"buffer\":0,\"byteOffset\":36,\"byteLength\":3000}]");
        text.replace("\"buffers\":[{\"byteLength\":36", "\"buffers\":[{\"byteLength\":3036");
        HostileFolder::write(m_folder.inside(QStringLiteral("often.gltf")), text);
        refused("often.gltf", "has more than 8000000 triangles when its nodes are expanded");
    }

    // What nothing but the numbers in the text holds back.
    void numbersThatPromiseTooMuch_data() {
        QTest::addColumn<QByteArray>("what");
        QTest::addColumn<QByteArray>("instead");
        QTest::newRow("more vertices than bytes")
            << QByteArray("\"count\":3") << QByteArray("\"count\":2000000000");
        QTest::newRow("vertices from nowhere")
            << QByteArray("\"bufferView\":0,\"componentType\":5126,\"count\":3")
            << QByteArray("\"componentType\":5126,\"count\":8000000");
        QTest::newRow("a view beyond its buffer")
            << QByteArray("\"buffer\":0,\"byteLength\":36") << QByteArray("\"buffer\":0,\"byteLength\":3600");
        QTest::newRow("a view before its buffer")
            << QByteArray("\"buffer\":0,\"byteLength\":36")
            << QByteArray("\"buffer\":0,\"byteOffset\":18446744073709551600,\"byteLength\":36");
        QTest::newRow("a stride beyond")
            << QByteArray("\"buffer\":0,") << QByteArray("\"buffer\":0,\"byteStride\":252,");
        QTest::newRow("a negative offset") << QByteArray("\"bufferView\":0,\"comp")
                                           << QByteArray("\"bufferView\":0,\"byteOffset\":-12,\"comp");
        QTest::newRow("a buffer that is shorter") << QByteArray("\"buffers\":[{\"byteLength\":36")
                                                  << QByteArray("\"buffers\":[{\"byteLength\":4000000000");
        QTest::newRow("compressed")
            << QByteArray("\"asset\":{")
            << QByteArray("\"extensionsRequired\":[\"KHR_draco_mesh_compression\"],\"asset\":{");
    }
    void numbersThatPromiseTooMuch() {
        QFETCH(QByteArray, what);
        QFETCH(QByteArray, instead);
        QByteArray text = gltf(inlineBytes());
        QVERIFY(text.contains(what));
        HostileFolder::write(m_folder.inside(QStringLiteral("promise.gltf")), text.replace(what, instead));
        refused("promise.gltf", "");
    }
    void indicesBeyondTheVertices() {
        QByteArray text = gltf("data:application/octet-stream;base64,"
                               + (triangleBytes() + QByteArray("\x00\x01\xFF", 3)).toBase64());
        text.replace("{\"POSITION\":0}", "{\"POSITION\":0},\"indices\":1");
        text.replace(
            "\"max\":[1,1,0]}",
            "\"max\":[1,1,0]},{\"bufferView\":1,\"componentType\":5121,\"count\":3,\"type\":\"SCALAR\"}");
        text.replace("\"byteLength\":36}]",
                     "\"byteLength\":36},{\"buffer\":0,\"byteOffset\":36,\"byteLength\":3}]");
        text.replace("\"buffers\":[{\"byteLength\":36", "\"buffers\":[{\"byteLength\":39");
        HostileFolder::write(m_folder.inside(QStringLiteral("beyond.gltf")), text);
        refused("beyond.gltf", "indices names vertex 255; expected less than 3");
    }
    void textThatIsNestedDeep() {
        HostileFolder::write(m_folder.inside(QStringLiteral("nested.gltf")), QByteArray(3'000'000, '['));
        refused("nested.gltf", "nested more than 32 deep");
    }
    void aFaceOfManyCorners() {
        QByteArray text = TriangleObj;
        text += "f";
        for (int i = 0; i < 100'000; ++i)
            text += " " + QByteArray::number(1 + i % 3);
        HostileFolder::write(m_folder.inside(QStringLiteral("fan.obj")), text + "\n");
        refused("fan.obj", "has a face of 100000 corners (line 5); expected at most 4096");
    }
    void aFaceOfWords_data() {
        QTest::addColumn<QByteArray>("corner");
        for (const char* corner : {"+3q", "/", "//", "/3", "//3", "3/-", "3/2/1/1", "3///1", "3/-/1", "--3", "3-", "-", "12345678901"})
            QTest::newRow(corner) << QByteArray(corner);
    }
    void aFaceOfWords() {
        QFETCH(QByteArray, corner);
        HostileFolder::write(m_folder.inside(QStringLiteral("words.obj")), QByteArray(TriangleObj) + "f 1 2 " + corner + "\n");
        refused("words.obj", "has a face that is not made of vertex indices (line 5)");
    }
    void cornersThatEndInSlashes() {
        HostileFolder::write(m_folder.inside(QStringLiteral("slashes.obj")),
                             QByteArray("v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\nf 1// 2/1/  -1/1/1\n"));
        read("slashes.obj");
    }

    // Assimp ends a line at \r and \f too: nothing may hide behind them.
    void linesThatEndOtherwise_data() {
        QTest::addColumn<QByteArray>("end");
        QTest::newRow("carriage return") << QByteArray("\r");
        QTest::newRow("both") << QByteArray("\r\n");
    }
    void linesThatEndOtherwise() {
        QFETCH(QByteArray, end);
        HostileFolder::write(m_folder.inside(QStringLiteral("ends.obj")), QByteArray(TriangleObj).replace("\n", end));
        read("ends.obj");
        HostileFolder::write(m_folder.inside(QStringLiteral("hidden.obj")), TriangleObj + ("vn 0 0 1" + end) + "f 1 2 +3q\n");
        refused("hidden.obj", "has a face that is not made of vertex indices (line 6)");
    }
    void aFormFeedEndsNoLine() {
        HostileFolder::write(m_folder.inside(QStringLiteral("feed.obj")), QByteArray("v 0 0 0\nv 1 0 0\nv 0 1 0\fv 9 9 9\nf 1 2 4\n"));
        refused("feed.obj", ""); // there is no fourth vertex
    }

    void whatIsNoFile() {
        HostileFolder::pipe(m_folder.inside(QStringLiteral("pipe.obj")));
        refused("pipe.obj", "");
        HostileFolder::link(QStringLiteral("/dev/zero"), m_folder.inside(QStringLiteral("zero.obj")));
        refused("zero.obj", "");
    }

    // A file that failed is not read a second time for the next entity that names it, but is when it has changed.
    void aFailureIsRememberedUntilTheFileChanges() {
        HostileFolder::write(m_folder.inside(QStringLiteral("later.gltf")), gltf("later.bin"));
        MeshLibrary library(m_folder.root());
        const Result<MeshId> first = library.find("later.gltf");
        QVERIFY(!first.ok());
        QCOMPARE(library.find("later.gltf").error().message, first.error().message);
        HostileFolder::write(m_folder.inside(QStringLiteral("later.bin")), triangleBytes());
        QVERIFY(library.find("later.gltf").ok());
    }
};

QTEST_GUILESS_MAIN(TestHostileMeshes)
#include "tst_hostile_meshes.moc"
