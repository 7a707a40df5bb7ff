// What the sound commands print as JSON, with names that a device or a file may have.

#include <QtTest>

#include "engine/soundstage/sound_json.h"

#include <nlohmann/json.hpp>

#include <limits>

using namespace sbx;
using Json = nlohmann::json;

class TestSoundJson : public QObject {
    Q_OBJECT
private slots:
    void devicesWithAnyNameAreJson() {
        SoundHost::Devices devices;
        devices.all.push_back({"hw:0\x01\"",
                               "Sp\xE9"
                               "aker\n\\",
                               true});
        devices.open = true;
        devices.now.state = audio::OutputState::Running;
        devices.now.device = devices.all[0].name;
        devices.now.sampleRate = 48000.0;
        devices.now.latencyMs = std::numeric_limits<double>::quiet_NaN();
        devices.now.message = "gone\x1B[2J";
        const std::string text = devicesJson(devices);
        const Json read = Json::parse(text, nullptr, false);
        QVERIFY2(read.is_object(), text.c_str());
        QCOMPARE(read["devices"][0]["id"].get<std::string>(), std::string("hw:0\x01\""));
        QCOMPARE(read["devices"][0]["name"].get<std::string>(), std::string("Sp\xEF\xBF\xBD"
                                                                            "aker\n\\"));
        QVERIFY(read["devices"][0]["default"].get<bool>());
        QCOMPARE(read["state"].get<std::string>(), std::string("running"));
        QCOMPARE(read["rate"].get<double>(), 48000.0);
        QVERIFY(read["latencyMs"].is_null());
        QCOMPARE(read["message"].get<std::string>(), std::string("gone\x1B[2J"));
    }

    void aClosedDeviceHasNoFigures() {
        QCOMPARE(devicesJson({}), std::string("{\"devices\":[],\"state\":\"closed\"}"));
    }

    // The figures of single precision, and none that JSON lacks: a level of silence in decibels is no number.
    void voicesAreJson() {
        SoundReport report;
        report.totals.frame = 72000;
        report.listenerName = "ear \"left\"";
        SoundReport::Voice& voice = report.voices.emplace_back();
        voice.name = "door\t1";
        voice.sound = "creak";
        voice.file = "sounds/cr\xFF.wav";
        voice.play = 3;
        voice.state.distance = std::numeric_limits<float>::infinity();
        voice.state.delay = 0.1F;
        const std::string text = voicesJson(report, 48000.0);
        const Json read = Json::parse(text, nullptr, false);
        QVERIFY2(read.is_object(), text.c_str());
        QVERIFY2(
            text.starts_with(
                "{\"seconds\":1.5,\"listener\":\"ear \\\"left\\\"\",\"listenerPosition\":[0.0,0.0,0.0],"),
            text.c_str());
        const Json& first = read["voices"][0];
        QCOMPARE(first["entity"].get<std::string>(), std::string("door\t1"));
        QCOMPARE(first["file"].get<std::string>(), std::string("sounds/cr\xEF\xBF\xBD.wav"));
        QCOMPARE(first["play"].get<int>(), 3);
        QVERIFY(first["distance"].is_null());
        QVERIFY2(text.find("\"delayMs\":100.0") != std::string::npos, text.c_str());
    }
};

QTEST_GUILESS_MAIN(TestSoundJson)
#include "tst_sound_json.moc"
