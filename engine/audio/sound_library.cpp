#include "engine/audio/sound_library.h"

#include "engine/audio/streamed_sound.h"
#include "engine/audio/test_signals.h"
#include "engine/core/value.h"

namespace sbx::audio {

void SoundLibrary::setRoot(std::filesystem::path folder) {
    m_root = std::move(folder);
    m_infos.clear();
    m_seen.clear();
    m_data.clear();
    m_bytes = 0;
    m_streams.clear();
}

std::vector<std::pair<std::string, Error>> SoundLibrary::newFaults() {
    std::vector<std::pair<std::string, Error>> out;
    for (Stream& stream : m_streams) {
        const Error* fault = stream.reported ? nullptr : stream.sound->fault();
        if (fault != nullptr) {
            stream.reported = true;
            out.emplace_back(stream.name, *fault);
        }
    }
    return out;
}

// Before the file is read: what is written meanwhile is another file then.
void SoundLibrary::see(const std::string& name) {
    if (m_seen.contains(name)) {
        return;
    }
    const Result<FileIdentity> identity = inspectAsset({m_root, name});
    m_seen.emplace(name, identity ? *identity : FileIdentity{});
}

std::vector<std::pair<double, bool>> SoundLibrary::forms(const std::string& name) const {
    std::vector<std::pair<double, bool>> out;
    for (const auto& [key, data] : m_data) {
        if (std::get<0>(key) == name) {
            out.emplace_back(std::get<1>(key), std::get<2>(key));
        }
    }
    return out;
}

Result<SoundLibrary::Reread> SoundLibrary::reread(const AssetRef& sound, const FileIdentity& identity,
                                                  const std::vector<std::pair<double, bool>>& forms) {
    const Result<SoundFileInfo> info = inspectSound(sound);
    if (!info) {
        return info.error();
    }
    Reread out{sound.name, identity, *info, {}};
    for (const auto& [rate, streamed] : forms) {
        if (streamed) {
            auto stream = StreamedSound::open(sound, rate);
            if (!stream) {
                return stream.error();
            }
            out.data.emplace_back(rate, true, std::move(*stream));
        } else {
            auto whole = loadSound(sound, rate);
            if (!whole) {
                return whole.error();
            }
            out.data.emplace_back(rate, false, std::move(*whole));
        }
    }
    return out;
}

Result<void> SoundLibrary::replace(Reread file) {
    const auto bytesOf = [](const SoundData& data) { return static_cast<std::uint64_t>(data.length()) * sizeof(float); };
    std::uint64_t bytes = m_bytes;
    for (const auto& [rate, streamed, data] : file.data) {
        if (streamed) {
            continue;
        }
        const auto before = m_data.find(std::tuple(file.name, rate, false));
        bytes -= before != m_data.end() && before->second ? bytesOf(**before->second) : 0;
        bytes += bytesOf(*data);
    }
    if (bytes > MaximumBytes) {
        return Error{"sound " + inQuotes(file.name) + " would bring the project's sounds above " + std::to_string(MaximumBytes >> 30U)
                         + " GiB of memory; expected fewer or shorter ones",
                     AssetRef{m_root, file.name}.path().string(),
                     {}};
    }
    m_bytes = bytes;
    std::erase_if(m_streams, [&](const Stream& stream) { return stream.name == file.name; });
    for (auto& [rate, streamed, data] : file.data) {
        if (streamed) {
            m_streams.push_back({file.name, std::static_pointer_cast<const StreamedSound>(data)});
        }
        m_data.insert_or_assign(std::tuple(file.name, rate, streamed), Result<std::shared_ptr<const SoundData>>(std::move(data)));
    }
    m_infos.insert_or_assign(file.name, Result<SoundFileInfo>(file.info));
    m_seen[file.name] = file.identity;
    ++m_replacements;
    return {};
}

Result<SoundFileInfo> SoundLibrary::info(const std::string& name) {
    see(name);
    const auto known = m_infos.find(name);
    return known != m_infos.end() ? known->second : m_infos.emplace(name, inspectSound(AssetRef{m_root, name})).first->second;
}

Result<std::shared_ptr<const SoundData>> SoundLibrary::data(const std::string& name, double sampleRate, bool stream) {
    if (name.starts_with(SignalPrefix)) {
        const auto signal = testSignalOf(std::string_view(name).substr(SignalPrefix.size()));
        if (!signal) {
            return Error{"expected pink noise, sweep, clicks or speech", name, {}};
        }
        std::shared_ptr<const SoundData>& made = m_signals[{*signal, sampleRate}];
        if (made == nullptr) {
            made = makeTestSignal(*signal, sampleRate);
        }
        return made;
    }
    const Result<SoundFileInfo> about = stream ? info(name) : SoundFileInfo{};
    const bool streamed = stream && about && about->seconds > StreamedFrom;
    const std::tuple key(name, sampleRate, streamed);
    const auto known = m_data.find(key);
    if (known != m_data.end()) {
        return known->second;
    }
    return m_data.emplace(key, read(name, sampleRate, streamed)).first->second;
}

Result<std::shared_ptr<const SoundData>> SoundLibrary::read(const std::string& name, double sampleRate, bool streamed) {
    see(name);
    const AssetRef asset{m_root, name};
    const auto fail = [&](const std::string& what) { return Error{"sound " + inQuotes(name) + ' ' + what, asset.path().string(), {}}; };
    if (streamed) {
        if (m_streams.size() == MaximumStreams) {
            return fail("is one long sound too many; expected at most " + std::to_string(MaximumStreams) + " of more than "
                        + std::to_string(static_cast<int>(StreamedFrom)) + " seconds");
        }
        auto stream = StreamedSound::open(asset, sampleRate);
        if (!stream) {
            return stream.error();
        }
        m_streams.push_back({name, *stream});
        return std::shared_ptr<const SoundData>(std::move(*stream));
    }
    auto sound = loadSound(asset, sampleRate);
    if (!sound) {
        return sound.error();
    }
    const std::uint64_t bytes = static_cast<std::uint64_t>((*sound)->length()) * sizeof(float);
    if (m_bytes + bytes > MaximumBytes) {
        return fail("would bring the project's sounds above " + std::to_string(MaximumBytes >> 30U) + " GiB of memory; expected fewer or shorter ones");
    }
    m_bytes += bytes;
    if ((*sound)->mended() > 0 && m_remark) {
        m_remark(asset.path().string() + ": " + std::to_string((*sound)->mended())
                 + " samples are not numbers or are more than 24 dB above full scale; they were silenced or lowered. "
                   "Expected samples from -1 to 1");
    }
    return std::shared_ptr<const SoundData>(std::move(*sound));
}

} // namespace sbx::audio
