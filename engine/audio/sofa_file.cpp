#include "engine/audio/detail/sofa_content.h"

#include <mysofa.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

namespace sbx::audio {

namespace {

constexpr unsigned MaximumDirections = 20000;
constexpr unsigned MaximumTaps = 16384;

const char* reasonOf(int code) {
    switch (code) {
    case MYSOFA_INVALID_FORMAT:
        return "not a SOFA (HDF5) file";
    case MYSOFA_UNSUPPORTED_FORMAT:
        return "an HDF5 feature that is not supported";
    case MYSOFA_NO_MEMORY:
        return "not enough memory";
    case MYSOFA_READ_ERROR:
        return "the file cannot be read to its end";
    case MYSOFA_INVALID_ATTRIBUTES:
        return "an attribute is invalid";
    case MYSOFA_INVALID_DIMENSIONS:
    case MYSOFA_INVALID_DIMENSION_LIST:
        return "a dimension (I, C, R, E, N, M) is missing or disagrees with its variables";
    case MYSOFA_INVALID_COORDINATE_TYPE:
        return "a position's Type is neither cartesian nor spherical";
    default:
        return "the file's structure is not understood";
    }
}

struct HrtfCloser {
    void operator()(MYSOFA_HRTF* hrtf) const { mysofa_free(hrtf); }
};

std::string attribute(MYSOFA_ATTRIBUTE* list, const char* name) {
    std::string copy = name;
    const char* value = mysofa_getAttribute(list, copy.data());
    return value != nullptr ? value : "";
}

// Empty when fit for use, else the field at fault and what would be right.
std::string faultOf(const MYSOFA_HRTF& hrtf) {
    const std::string conventions = attribute(hrtf.attributes, "SOFAConventions");
    if (conventions != "SimpleFreeFieldHRIR") {
        return "SOFAConventions is \"" + conventions + "\"; expected SimpleFreeFieldHRIR";
    }
    if (const std::string type = attribute(hrtf.attributes, "DataType"); type != "FIR") {
        return "DataType is \"" + type + "\"; expected FIR";
    }
    if (hrtf.R != 2) {
        return "R (receivers) is " + std::to_string(hrtf.R) + "; expected 2, the ears";
    }
    if (hrtf.M < 1 || hrtf.M > MaximumDirections) {
        return "M (measurements) is " + std::to_string(hrtf.M) + "; expected 1 to "
               + std::to_string(MaximumDirections);
    }
    if (hrtf.N < 8 || hrtf.N > MaximumTaps) {
        return "N (samples of a response) is " + std::to_string(hrtf.N) + "; expected 8 to "
               + std::to_string(MaximumTaps);
    }
    if (hrtf.DataIR.values == nullptr || hrtf.DataIR.elements != hrtf.M * hrtf.R * hrtf.N) {
        return "Data.IR has " + std::to_string(hrtf.DataIR.elements) + " values; expected M x R x N";
    }
    if (hrtf.SourcePosition.values == nullptr || hrtf.SourcePosition.elements != hrtf.M * 3) {
        return "SourcePosition has " + std::to_string(hrtf.SourcePosition.elements)
               + " values; expected M x 3";
    }
    if (hrtf.DataSamplingRate.values == nullptr || hrtf.DataSamplingRate.elements < 1
        || !(hrtf.DataSamplingRate.values[0] >= 8000.0F && hrtf.DataSamplingRate.values[0] <= 400000.0F)) {
        return "Data.SamplingRate is missing or outside 8000 to 400000 Hz";
    }
    if (hrtf.DataDelay.elements != 0 && hrtf.DataDelay.elements != hrtf.R
        && hrtf.DataDelay.elements != hrtf.R * hrtf.M) {
        return "Data.Delay has " + std::to_string(hrtf.DataDelay.elements) + " values; expected R or M x R";
    }
    if (hrtf.DataDelay.values != nullptr && hrtf.DataDelay.elements > 0) {
        const float most = *std::max_element(hrtf.DataDelay.values, hrtf.DataDelay.values + hrtf.DataDelay.elements);
        if (most > 0.0F && most < 0.05F) {
            return "Data.Delay is at most " + std::to_string(most) + ", as if in seconds; expected samples";
        }
    }
    if (const std::string type = attribute(hrtf.SourcePosition.attributes, "Type"); type != "spherical" && type != "cartesian") {
        return "SourcePosition.Type is \"" + type + "\"; expected spherical or cartesian";
    }
    for (unsigned i = 0; i < hrtf.DataIR.elements; ++i) {
        if (!std::isfinite(hrtf.DataIR.values[i])) {
            return "Data.IR holds a value that is not finite (measurement "
                   + std::to_string(i / (hrtf.R * hrtf.N)) + ")";
        }
    }
    return {};
}

} // namespace

Result<HrtfResponses> readSofa(const std::filesystem::path& file) {
    std::error_code code;
    if (!std::filesystem::is_regular_file(file, code)) {
        return Error{
            "no such file; expected a SOFA file with head-related impulse responses", file.string(), {}};
    }
    int error = MYSOFA_OK;
    const std::unique_ptr<MYSOFA_HRTF, HrtfCloser> hrtf(mysofa_load(file.c_str(), &error));
    if (!hrtf) {
        return Error{std::string(reasonOf(error))
                         + "; expected a SOFA file of convention SimpleFreeFieldHRIR",
                     file.string(),
                     {}};
    }
    return responsesOf(*hrtf, file);
}

Result<HrtfResponses> responsesOf(const MYSOFA_HRTF& content, const std::filesystem::path& file) {
    if (const std::string fault = faultOf(content); !fault.empty()) {
        return Error{fault, file.string(), {}};
    }
    const bool spherical = attribute(content.SourcePosition.attributes, "Type") != "cartesian";
    HrtfResponses result;
    result.name = attribute(content.attributes, "Title");
    if (result.name.empty()) {
        result.name = file.stem().string();
    }
    result.sampleRate = static_cast<double>(content.DataSamplingRate.values[0]);
    for (unsigned m = 0; m < content.M; ++m) {
        const float* p = content.SourcePosition.values + m * 3U;
        glm::dvec3 sofa(p[0], p[1], p[2]); // x ahead, y left, z up
        if (spherical) {
            const double azimuth = static_cast<double>(p[0]) * std::numbers::pi / 180.0;
            const double elevation = static_cast<double>(p[1]) * std::numbers::pi / 180.0;
            const double distance = static_cast<double>(p[2]);
            sofa = distance
                   * glm::dvec3(std::cos(elevation) * std::cos(azimuth),
                                std::cos(elevation) * std::sin(azimuth), std::sin(elevation));
        }
        const double distance = std::sqrt(sofa.x * sofa.x + sofa.y * sofa.y + sofa.z * sofa.z);
        if (!(distance > 0.01 && distance < 1000.0)) {
            return Error{"SourcePosition of measurement " + std::to_string(m)
                             + " is at no usable distance; expected 0.01 to 1000 m",
                         file.string(),
                         {}};
        }
        result.directions.push_back(glm::dvec3(-sofa.y, sofa.z, -sofa.x) / distance);
        result.distances.push_back(distance);
        std::array<std::vector<double>, 2> ears;
        for (unsigned ear = 0; ear < 2; ++ear) {
            const float* ir = content.DataIR.values + (m * 2U + ear) * content.N;
            // Data.Delay is in samples, and may be one value for all measurements.
            const unsigned at = content.DataDelay.elements == 2 ? ear : m * 2U + ear;
            const float delay = content.DataDelay.elements > at ? content.DataDelay.values[at] : 0.0F;
            if (!(delay >= 0.0F && delay < 4096.0F)) {
                return Error{"Data.Delay of measurement " + std::to_string(m)
                                 + " is outside 0 to 4096 samples",
                             file.string(),
                             {}};
            }
            ears[ear].assign(static_cast<std::size_t>(std::lround(delay)), 0.0);
            ears[ear].insert(ears[ear].end(), ir, ir + content.N);
        }
        result.responses.push_back(std::move(ears));
    }
    return result;
}

} // namespace sbx::audio
