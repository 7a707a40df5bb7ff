#include "engine/render/shaders.h"

namespace sbx::render::shaders {
namespace {

constexpr std::string_view Version = "#version 330 core\n";

// Mirrors FrameBlock in frame_block.h.
constexpr std::string_view Head = R"(
layout(std140) uniform Frame {
    mat4 viewProjection;
    mat4 shadowMatrix;
    vec4 cameraPosition;  // w: exposure
    vec4 cameraRight;     // w: tangent of half the field of view, times aspect; orthographic: half the width in metres
    vec4 cameraUp;        // w: tangent of half the field of view; orthographic: half the height in metres
    vec4 cameraForward;   // w: 0 in perspective; else the distance from which perspective would show things as large
    vec4 toSun;
    vec4 sunColor;
    vec4 zenith;          // w: fog density
    vec4 horizon;         // w: ambient
    vec4 groundColor;     // w: number of point lights
    vec4 shadowScale;     // texture units a metre in x and y, metres of depth, metres a texel
    vec4 scattered[3];    // sky and ground as a matt surface sees them: a row a channel; w: constant
    vec4 shadowRight;     // w: widest filter in metres
    vec4 shadowUp;
    vec4 heightArea;      // lowest x and z, 1 / size in x and z
    vec4 heightRange;     // lowest height, strength of occlusion, span of heights, clouds
    vec4 viewport;        // width, height, and their inverses
    vec4 lightPosition[8]; // w: 1 / range squared
    vec4 lightColor[8];
};
)";

// Light is linear until `finish`.
constexpr std::string_view Look = R"(
// Interleaved gradient noise: Jimenez, "Next Generation Post Processing in Call of Duty: Advanced Warfare"
// (2014).
float grain(vec2 pixel) { return fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715)))); }

// Warm air around the sun.
vec3 haze(vec3 d) {
    float c = max(dot(d, toSun.xyz), 0.0);
    float c2 = c * c, c4 = c2 * c2, c8 = c4 * c4;
    return sunColor.rgb * (0.035 * c2 + 0.060 * c8 * c4);
}
// Sky seen along d, which is unit length, without the sun's disc. Below the horizon the haze goes on.
vec3 skyAlong(vec3 d) {
    float up = max(d.y, 0.0);
    float t = 1.0 - exp2(-8.0 * up);
    return mix(horizon.rgb, zenith.rgb, t) + haze(d) * (1.0 - 0.6 * t);
}
// What a surface of this roughness mirrors.
vec3 surroundings(vec3 d, float roughness) {
    float w = 0.025 + 0.9 * roughness * roughness;
    float t = smoothstep(-w, w, d.y);
    float up = max(d.y, 0.0) * (1.0 - roughness);
    vec3 sky = mix(horizon.rgb, zenith.rgb, mix(1.0 - exp2(-5.0 * up), 0.55, roughness));
    sky += haze(d) * (1.0 - 0.3 * roughness);
    return mix(groundColor.rgb, sky, t);
}

// Krzysztof Narkowicz, "ACES Filmic Tone Mapping Curve" (2016), and the sRGB encoding after it, as one
// rational function of x and its root: within a step of 1 / 255 of the two in turn, for a root and a division
// instead of powers. Bright colours lose some of their saturation first, as film does.
vec3 finish(vec3 x) {
    x = max(x, vec3(0.0)) * (cameraPosition.w * 0.5);
    float peak = max(x.r, max(x.g, x.b));
    x = mix(x, vec3(dot(x, vec3(0.2126, 0.7152, 0.0722))), 0.22 * peak / (peak + 4.0));
    vec3 s = sqrt(x);
    return clamp((5.94681 * x - 0.10412 * s) / (5.96189 * x - 0.52895 * s + 1.0), 0.0, 1.0);
}
)";

} // namespace

std::string withHead(std::string_view source) {
    return std::string(Version) + std::string(Head) + std::string(source);
}
std::string withLook(std::string_view source, std::string_view defines) {
    return std::string(Version) + std::string(defines) + std::string(Head) + std::string(Look)
           + std::string(source);
}

// ---------------------------------------------------------------- depth alone

const std::string_view DepthVertex = R"(
layout(location = 0) in vec3 position;
layout(location = 2) in vec3 inset;
layout(location = 3) in vec4 iPlace;
layout(location = 4) in vec4 iRotation;
layout(location = 5) in vec4 iScale;
uniform mat4 projection;
vec3 turn(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
void main() {
    gl_Position = projection * vec4(iPlace.xyz + turn(iRotation, position * iScale.xyz), 1.0);
}
)";

const std::string_view EmptyFragment = R"(
void main() {}
)";

// ---------------------------------------------------------------- sky, grid, halos

const std::string_view SkyVertex = R"(
out vec3 along;
void main() {
    vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
    along = cameraForward.xyz + cameraRight.xyz * (corner.x * cameraRight.w);
    along += cameraUp.xyz * (corner.y * cameraUp.w);
    gl_Position = vec4(corner, 1.0, 1.0);
}
)";

const std::string_view SkyFragment = R"(
in vec3 along;
uniform sampler2D cloudMap; // blue: clouds
out vec4 fragment;
void main() {
    vec3 d = normalize(along);
    vec3 light = skyAlong(d);
    float c = max(dot(d, toSun.xyz), 0.0);
    // High thin clouds, brighter and warmer towards the sun, drawn out along one wind.
    vec2 sheet = d.xz / (max(d.y, 0.0) + 0.16);
    float thick = texture(cloudMap, sheet * vec2(0.045, 0.115) + 0.13).b * 0.62;
    thick += texture(cloudMap, sheet.yx * vec2(0.31, 0.17)).b * 0.38;
    thick = smoothstep(0.48, 0.60, thick) * smoothstep(0.03, 0.30, d.y) * heightRange.w;
    vec3 lit = horizon.rgb * 1.08 + sunColor.rgb * (0.040 + 0.17 * c * c * c);
    light = mix(light, lit, thick * 0.62);
    // Disc and aureole.
    float disc = smoothstep(0.99985, 0.99993, c) * 12.0;
    light += sunColor.rgb * (disc + 0.35 * pow(c, 220.0) + 0.9 * pow(c, 2400.0));
    // Below the horizon the land lies in haze.
    float down = clamp(-d.y * 3.0, 0.0, 1.0);
    light = mix(light, groundColor.rgb * 0.9 + light * 0.25, down * down * (3.0 - 2.0 * down));
    // Half a step of noise against bands.
    fragment = vec4(finish(light) + (grain(gl_FragCoord.xy) - 0.5) / 255.0, 1.0);
}
)";

// Lines on a plane through the origin, as far as `reach` around the place of the plane that is nearest to the camera.
const std::string_view GridVertex = R"(
out vec2 place;  // on the plane, metres
out vec3 world;
uniform float reach;
uniform vec3 along;  // the plane's axes
uniform vec3 up;
uniform float behind; // 1: behind everything
void main() {
    vec2 corner = vec2((gl_VertexID & 1) == 0 ? -1.0 : 1.0, gl_VertexID < 2 ? -1.0 : 1.0);
    place = vec2(dot(along, cameraPosition.xyz), dot(up, cameraPosition.xyz)) + corner * reach;
    world = along * place.x + up * place.y;
    gl_Position = viewProjection * vec4(world, 1.0);
    if (behind > 0.5) gl_Position.z = gl_Position.w;
}
)";

const std::string_view GridFragment = R"(
in vec2 place;
in vec3 world;
out vec4 fragment;
uniform float reach;
uniform float cell;     // metres; every fifth line is stronger
uniform vec3 toneAlong; // of the axis along
uniform vec3 toneUp;
float lines(vec2 p, float cell, float width) {
    vec2 q = p / cell;
    vec2 d = max(fwidth(q), vec2(1e-5));
    vec2 near = abs(fract(q - 0.5) - 0.5) / d;
    vec2 line = clamp(width * 0.5 + 0.5 - near, 0.0, 1.0);
    // Gone before lines merge into grey.
    line *= 1.0 - smoothstep(0.12, 0.45, d);
    return max(line.x, line.y);
}
void main() {
    vec2 p = place;
    float distance = length(world - cameraPosition.xyz);
    float fade = cameraForward.w > 0.0 ? 1.0 : 1.0 - smoothstep(0.35 * reach, 0.95 * reach, distance);
    float strength = max(lines(p, cell, 1.0) * 0.16, lines(p, 5.0 * cell, 1.3) * 0.30);
    vec3 tone = vec3(0.92, 0.95, 1.0);
    vec2 axis = clamp(1.2 - abs(p) / max(fwidth(p), vec2(1e-5)), 0.0, 1.0);
    // The axis along runs where the other coordinate is 0.
    tone = mix(tone, toneAlong, axis.y);
    tone = mix(tone, toneUp, axis.x);
    strength = max(strength, 0.6 * max(axis.x, axis.y));
    fragment = vec4(tone, strength * fade);
}
)";

const std::string_view HaloVertex = R"(
layout(location = 3) in vec4 place; // centre, radius
layout(location = 4) in vec4 light;
out vec2 at;
flat out vec3 tone;
flat out vec2 reach;  // distance of the centre along the view, radius
void main() {
    at = vec2((gl_VertexID & 1) == 0 ? -1.0 : 1.0, gl_VertexID < 2 ? -1.0 : 1.0);
    tone = sqrt(light.rgb);
    reach = vec2(dot(place.xyz - cameraPosition.xyz, cameraForward.xyz), place.w);
    vec3 corner = place.xyz + (cameraRight.xyz * at.x + cameraUp.xyz * at.y) * place.w;
    gl_Position = viewProjection * vec4(corner, 1.0);
}
)";

const std::string_view HaloFragment = R"(
in vec2 at;
flat in vec3 tone;
flat in vec2 reach;
uniform sampler2D sceneDepth;
uniform vec2 planes; // near, far
out vec4 fragment;
void main() {
    float f = max(1.0 - dot(at, at), 0.0);
    float z = texture(sceneDepth, gl_FragCoord.xy * viewport.zw).r * 2.0 - 1.0;
    float there = cameraForward.w > 0.0 ? mix(planes.x, planes.y, z * 0.5 + 0.5)
                                        : 2.0 * planes.x * planes.y / (planes.y + planes.x - z * (planes.y - planes.x));
    // How much of the glowing ball lies before what is seen there.
    float inside = clamp((there - reach.x) / reach.y * 0.9 + 0.75, 0.0, 1.0);
    vec3 c = tone * (f * f * f * inside);
    fragment = vec4(min(c, vec3(1.0)) + (grain(gl_FragCoord.xy) - 0.5) / 255.0 * step(0.001, f), 1.0);
}
)";

// ---------------------------------------------------------------- lines, outline, overlay

const std::string_view LineVertex = R"(
layout(location = 3) in vec4 from; // w: width in pixels
layout(location = 4) in vec4 to;   // w: LineDepth
layout(location = 5) in vec4 tint;
noperspective out float across;
flat out float halfWidth;
flat out vec4 color;
flat out float mode;
uniform float nearPlane;
void main() {
    // Cut at the near plane, where the projection turns over.
    vec3 a = from.xyz, b = to.xyz;
    float da = dot(a - cameraPosition.xyz, cameraForward.xyz) - nearPlane;
    float db = dot(b - cameraPosition.xyz, cameraForward.xyz) - nearPlane;
    float w = from.w;
    color = tint;
    // Thinner than a pixel: a pixel wide and paler.
    if (w < 1.0) { color.a *= w; w = 1.0; }
    halfWidth = w * 0.5;
    mode = to.w;
    across = 0.0;
    if (da <= 0.0 && db <= 0.0) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
    if (da < 0.0) a = mix(a, b, da / (da - db));
    if (db < 0.0) b = mix(b, a, db / (db - da));
    vec4 ca = viewProjection * vec4(a, 1.0);
    vec4 cb = viewProjection * vec4(b, 1.0);
    vec2 half_ = viewport.xy * 0.5;
    vec2 sa = ca.xy / ca.w * half_, sb = cb.xy / cb.w * half_;
    vec2 along = sb - sa;
    float length_ = length(along);
    along = length_ > 1e-4 ? along / length_ : vec2(1.0, 0.0);
    vec2 out_ = vec2(-along.y, along.x);
    float side = (gl_VertexID & 1) == 0 ? -1.0 : 1.0;
    bool first = gl_VertexID < 2;
    float reach = halfWidth + 1.0;
    across = side * reach;
    vec4 c = first ? ca : cb;
    vec2 pixel = (first ? sa - along * 0.5 : sb + along * 0.5) + out_ * side * reach;
    // A little towards the camera, so that a line on a surface is not lost in it.
    vec3 p = first ? a : b;
    vec3 shift = cameraForward.w > 0.0 ? cameraForward.xyz * cameraForward.w : p - cameraPosition.xyz;
    vec4 nearer = viewProjection * vec4(p - shift * 0.004, 1.0);
    gl_Position = vec4(pixel / half_, nearer.z / nearer.w, 1.0) * c.w;
}
)";

const std::string_view LineFragment = R"(
noperspective in float across;
flat in float halfWidth;
flat in vec4 color;
flat in float mode;
uniform sampler2D sceneDepth;
out vec4 fragment;
void main() {
    float alpha = color.a * clamp(halfWidth + 0.5 - abs(across), 0.0, 1.0);
    if (mode < 1.5 && gl_FragCoord.z > texture(sceneDepth, gl_FragCoord.xy * viewport.zw).r) {
        if (mode < 0.5) discard;
        alpha *= 0.25;
    }
    if (alpha <= 0.0) discard;
    fragment = vec4(color.rgb * alpha, alpha);
}
)";

const std::string_view SignVertex = R"(
layout(location = 3) in vec4 place; // w: pixels across
layout(location = 4) in vec4 tint;  // alpha 2: with a ring
layout(location = 5) in vec4 part;  // of the sheet
out vec2 at;
flat out vec4 color;
flat out vec4 area;
flat out float radius; // pixels
uniform float nearPlane;
void main() {
    at = vec2((gl_VertexID & 1) == 0 ? -1.0 : 1.0, gl_VertexID < 2 ? -1.0 : 1.0);
    color = tint;
    area = part;
    radius = place.w * 0.5;
    if (dot(place.xyz - cameraPosition.xyz, cameraForward.xyz) < nearPlane) {
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
        return;
    }
    gl_Position = viewProjection * vec4(place.xyz, 1.0);
    // A pixel more for the soft edge.
    at *= (radius + 1.0) / radius;
    gl_Position.xy += at * place.w * viewport.zw * gl_Position.w;
}
)";

const std::string_view SignFragment = R"(
in vec2 at;
flat in vec4 color;
flat in vec4 area;
flat in float radius;
uniform sampler2D sceneDepth;
uniform sampler2D icons;
out vec4 fragment;
void main() {
    float far = length(at);
    float plate = clamp((1.0 - far) * radius + 0.5, 0.0, 1.0);
    if (plate <= 0.0) discard;
    vec2 inner = vec2(at.x, -at.y) / 0.68 * 0.5 + 0.5;
    float icon = 0.0;
    if (all(greaterThan(inner, vec2(0.0))) && all(lessThan(inner, vec2(1.0)))) icon = texture(icons, area.xy + inner * area.zw).r;
    float width = color.a > 1.5 ? 2.0 : 1.0;
    float ring = clamp(far * radius - radius + width + 0.5, 0.0, 1.0) * (color.a > 1.5 ? 1.0 : 0.55);
    vec3 tone = mix(vec3(0.09, 0.10, 0.12), color.rgb, max(icon, ring));
    float alpha = plate * mix(0.80, 1.0, max(icon, ring));
    if (gl_FragCoord.z > texture(sceneDepth, gl_FragCoord.xy * viewport.zw).r) alpha *= 0.45;
    fragment = vec4(tone * alpha, alpha);
}
)";

const std::string_view ScreenVertex = R"(
void main() {
    gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);
}
)";

// Stairs along edges softened where there are no samples to do it: after Lottes, "FXAA" (2011), the short form. The
// direction of an edge from four corners, then the mean along it, wide if that stays between what is around. Two looks
// a turn, opposite each other; where there is no edge the loop ends after the corners.
const std::string_view SmoothFragment = R"(
uniform sampler2D scene;
uniform vec2 texel;  // 1 / size of the scene's picture
out vec4 fragment;
float luma(vec3 c) { return dot(c, vec3(0.299, 0.587, 0.114)); }
void main() {
    vec2 at = gl_FragCoord.xy * viewport.zw;
    vec3 middle = texture(scene, at).rgb;
    float own = luma(middle);
    float low = own, high = own;
    vec2 corners;     // differences north west - south east and north east - south west
    vec3 close = middle;
    vec3 wide = middle;
    vec2 reach = vec2(-0.5, 0.5);
    vec2 edge;
    float turn = 0.0;
    do {
        vec3 a = texture(scene, at + reach * texel).rgb;
        vec3 b = texture(scene, at - reach * texel).rgb;
        float la = luma(a), lb = luma(b);
        bool corner = turn < 1.5;
        low = corner ? min(low, min(la, lb)) : low;
        high = corner ? max(high, max(la, lb)) : high;
        corners = turn < 0.5 ? vec2(la - lb, 0.0) : corner ? vec2(corners.x, la - lb) : corners;
        vec3 mean = 0.5 * (a + b);
        close = turn > 1.5 && turn < 2.5 ? mean : close;
        wide = turn > 2.5 ? 0.5 * (close + mean) : wide;
        // Across the edge luma changes fastest; along it is at right angles to that.
        edge = vec2(-corners.x - corners.y, corners.y - corners.x);
        edge *= inversesqrt(dot(edge, edge) + 1e-6);
        vec2 far = clamp(edge / max(min(abs(edge.x), abs(edge.y)) * 8.0, 0.001), -2.0, 2.0);
        reach = turn < 0.5 ? vec2(0.5) : corner ? edge * 0.5 : far;
        turn += 1.0;
    } while (turn < 1.5 || (turn < 3.5 && high - low >= max(0.05, high * 0.125)));
    float l = luma(wide);
    vec3 soft = l < low || l > high ? close : wide;
    fragment = vec4(soft, 1.0);
}
)";

const std::string_view OutlineFragment = R"(
uniform sampler2D layer;
uniform vec4 area;   // corner on the target, 1 / size of the layer's picture
uniform vec4 accent;
uniform vec4 primary;
uniform float width;
out vec4 fragment;
void main() {
    vec2 at = (gl_FragCoord.xy - area.xy) * area.zw;
    vec4 self = texture(layer, at);
    float own = self.r;
    if (own > 0.995) {
        // Inside: half a line's width on either side of where another begins.
        float line = 0.0;
        float special = self.b;
        float step_ = floor(width * 0.5 + 0.25);
        for (int i = 0; i < 4; ++i) {
            vec2 d = i == 0 ? vec2(1.0, 0.0) : i == 1 ? vec2(-1.0, 0.0) : i == 2 ? vec2(0.0, 1.0) : vec2(0.0, -1.0);
            vec4 other = texture(layer, at + d * step_ * area.zw);
            // A gap of less than a pixel, or the soft edge of what stands before: what comes behind it counts.
            if (other.r <= 0.995) other = texture(layer, at + d * (step_ + 1.0) * area.zw);
            if (other.r > 0.995 && max(abs(other.g - self.g), abs(other.a - self.a)) > 0.008) {
                line = 1.0;
                special = max(special, other.b);
            }
        }
        if (line < 0.5) discard;
        vec4 tone = special > 0.5 ? primary : accent;
        fragment = vec4(tone.rgb * tone.a, tone.a);
        return;
    }
    float near = own;
    float special = self.b;
    for (int i = 0; i < 16; ++i) {
        float angle = float(i) * 0.39269908;
        vec2 d = vec2(cos(angle), sin(angle)) * area.zw;
        vec4 other = texture(layer, at + d * (width - 0.5));
        near = max(near, other.r);
        special = max(special, other.b);
        if ((i & 1) == 0) {
            other = texture(layer, at + d * (width * 0.5));
            near = max(near, other.r);
            special = max(special, other.b);
        }
    }
    // In such a gap itself.
    for (int i = 0; i < 2; ++i) {
        vec2 d = (i == 0 ? vec2(1.0, 0.0) : vec2(0.0, 1.0)) * area.zw;
        vec4 one = texture(layer, at + d);
        vec4 other = texture(layer, at - d);
        if (min(one.r, other.r) > 0.995 && max(abs(one.g - other.g), abs(one.a - other.a)) > 0.008) own = 0.0;
    }
    vec4 tone = special > 0.5 ? primary : accent;
    // The pixel on the border is the line's, not half of it the thing's: two full pixels and a soft rim.
    float alpha = min(near * 1.35, 1.0) * (1.0 - smoothstep(0.45, 0.95, own)) * tone.a;
    if (alpha <= 0.003) discard;
    fragment = vec4(tone.rgb * alpha, alpha);
}
)";

const std::string_view LayerFragment = R"(
uniform sampler2D layer;
uniform vec4 area;
out vec4 fragment;
void main() {
    fragment = texelFetch(layer, ivec2(gl_FragCoord.xy - area.xy), 0);
}
)";

const std::string_view OverlayVertexSource = R"(
layout(location = 0) in vec3 position;
layout(location = 1) in vec4 tint;
out vec4 color;
void main() {
    color = tint;
    gl_Position = viewProjection * vec4(position, 1.0);
}
)";

const std::string_view OverlayFragment = R"(
in vec4 color;
out vec4 fragment;
void main() { fragment = vec4(color.rgb * color.a, color.a); }
)";

// What is selected, with what distinguishes one group from another: red where there is something, green and alpha the group's digits, blue the
// primary one.
const std::string_view MaskVertex = R"(
layout(location = 0) in vec3 position;
layout(location = 3) in vec4 iPlace;
layout(location = 4) in vec4 iRotation;
layout(location = 5) in vec4 iScale;
layout(location = 8) in vec4 iExtra; // z, w: mark
uniform mat4 projection;
flat out vec4 mark;
vec3 turn(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
void main() {
    mark = vec4(1.0, iExtra.z, iExtra.w < 0.0 ? 1.0 : 0.0, abs(iExtra.w));
    gl_Position = projection * vec4(iPlace.xyz + turn(iRotation, position * iScale.xyz), 1.0);
}
)";

const std::string_view MaskFragment = R"(
flat in vec4 mark;
out vec4 fragment;
void main() { fragment = mark; }
)";

// ---------------------------------------------------------------- shadow tiles, heights

// Some texels square of the shadow map to one: nearest, farthest, sum of what is not empty, its count.
const std::string_view TileFragment = R"(
uniform sampler2D source;
uniform int edge;
out vec4 fragment;
void main() {
    ivec2 corner = ivec2(gl_FragCoord.xy) * edge;
    vec4 sum = vec4(1.0, 0.0, 0.0, 0.0);
    for (int y = 0; y < edge; ++y) {
        for (int x = 0; x < edge; ++x) {
            float d = texelFetch(source, corner + ivec2(x, y), 0).r;
            float full = step(d, 0.99999);
            sum = vec4(min(sum.x, d), max(sum.y, d), sum.z + d * full, sum.w + full);
        }
    }
    fragment = sum;
}
)";

// A tile and those around it to one: whatever a filter of a tile's radius can reach is in the result. The
// mean looks further, so that penumbras change their width gently.
const std::string_view TileSpreadFragment = R"(
uniform sampler2D source;
out vec4 fragment;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    ivec2 limit = textureSize(source, 0) - 1;
    vec4 sum = vec4(1.0, 0.0, 0.0, 0.0);
    for (int y = -2; y <= 2; ++y) {
        for (int x = -2; x <= 2; ++x) {
            vec4 t = texelFetch(source, clamp(at + ivec2(x, y), ivec2(0), limit), 0);
            bool close = max(abs(x), abs(y)) < 2;
            sum = vec4(close ? min(sum.x, t.x) : sum.x, close ? max(sum.y, t.y) : sum.y, sum.zw + t.zw);
        }
    }
    fragment = vec4(sum.xy, sum.w > 0.0 ? sum.z / sum.w : 1.0, 1.0);
}
)";

// First pass: depth from above to height and its square, blurred along one axis. Second: along the other, to
// mean and deviation. Heights are shares of the span.
const std::string_view HeightBlurFragment = R"(
uniform sampler2D source;
uniform vec4 step_;   // along x and y in the source, size of the target, first pass
out vec4 fragment;
void main() {
    vec2 at = gl_FragCoord.xy / step_.z;
    vec2 sum = vec2(0.0);
    float total = 0.0;
    for (int i = -6; i <= 6; ++i) {
        float x = float(i) / 7.0;
        float weight = 1.0 - x * x;
        vec2 texel = texture(source, at + step_.xy * x).rg;
        float h = 1.0 - texel.r;
        sum += weight * (step_.w > 0.5 ? vec2(h, h * h) : texel);
        total += weight;
    }
    sum /= total;
    fragment = vec4(sum.x, step_.w > 0.5 ? sum.y : sqrt(max(sum.y - sum.x * sum.x, 0.0)), 0.0, 1.0);
}
)";

} // namespace sbx::render::shaders
