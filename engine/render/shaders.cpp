#include "engine/render/shaders.h"

namespace sbx::render::shaders {
namespace {

// Mirrors FrameBlock in frame_block.h.
constexpr std::string_view Head = R"(#version 330 core
layout(std140) uniform Frame {
    mat4 viewProjection;
    mat4 shadowMatrix;
    vec4 cameraPosition;  // w: exposure
    vec4 cameraRight;     // w: tangent of half the field of view, times aspect
    vec4 cameraUp;        // w: tangent of half the field of view
    vec4 cameraForward;
    vec4 toSun;           // w: shadows on
    vec4 sunColor;        // w: soft shadows on
    vec4 zenith;          // w: fog density
    vec4 horizon;         // w: ambient
    vec4 groundColor;     // w: number of point lights
    vec4 shadowScale;     // texture units a metre in x and y, metres of depth, metres a texel
    vec4 shadowRight;
    vec4 shadowUp;
    vec4 heightArea;      // lowest x and z, 1 / size in x and z
    vec4 heightRange;     // lowest height, strength of occlusion, radius
    vec4 viewport;        // width, height, and their inverses
    vec4 lightPosition[8]; // w: range
    vec4 lightColor[8];
};
)";

// Light is linear until `finish`.
constexpr std::string_view Look = R"(
// Interleaved gradient noise: Jimenez, "Next Generation Post Processing in Call of Duty: Advanced Warfare" (2014).
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
    float t = 1.0 - exp2(-5.0 * up);
    return mix(horizon.rgb, zenith.rgb, t) + haze(d) * (1.0 - 0.6 * t);
}
// What a surface of this roughness mirrors.
vec3 surroundings(vec3 d, float roughness) {
    float w = 0.03 + 0.9 * roughness;
    float t = smoothstep(-w, w, d.y);
    float up = max(d.y, 0.0) * (1.0 - roughness);
    vec3 sky = mix(horizon.rgb, zenith.rgb, mix(1.0 - exp2(-5.0 * up), 0.55, roughness)) + haze(d) * (1.0 - 0.3 * roughness);
    return mix(groundColor.rgb, sky, t);
}

// Krzysztof Narkowicz, "ACES Filmic Tone Mapping Curve" (2016), with some of the hue kept in bright colours.
vec3 toneCurve(vec3 x) {
    x *= cameraPosition.w * 0.62;
    float peak = max(x.r, max(x.g, x.b));
    x = mix(x, vec3(dot(x, vec3(0.2126, 0.7152, 0.0722))), 0.22 * peak / (peak + 4.0));
    return clamp((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
}
vec3 encodeSrgb(vec3 c) {
    return mix(c * 12.92, 1.055 * pow(max(c, vec3(0.0031308)), vec3(1.0 / 2.4)) - 0.055, step(vec3(0.0031308), c));
}
// Linear light to a display value, with half a step of dither against bands.
vec3 finish(vec3 light, vec2 pixel) { return encodeSrgb(toneCurve(light)) + (grain(pixel) - 0.5) / 255.0; }
)";

} // namespace

std::string withHead(std::string_view source) {
    return std::string(Head) + std::string(source);
}
std::string withLook(std::string_view source) {
    return std::string(Head) + std::string(Look) + std::string(source);
}

// ---------------------------------------------------------------- surfaces

const std::string_view SurfaceVertex = R"(
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 inset;
layout(location = 3) in vec4 iPlace;    // position, roughness
layout(location = 4) in vec4 iRotation;
layout(location = 5) in vec4 iScale;    // scale, metallic
layout(location = 6) in vec4 iColor;
layout(location = 7) in vec4 iEmissive; // emissive, material
layout(location = 8) in vec4 iExtra;    // seed, highlight
out vec3 world;
out vec3 local;        // metres, before rotation
out vec3 localNormal;
flat out vec4 rotation;
flat out vec4 scaleSeed;
flat out vec4 color;
flat out vec4 emissive;
flat out vec4 surface; // roughness, metallic, highlight, -
vec3 turn(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
void main() {
    vec3 size = abs(iScale.xyz);
    // The same width of edge on a crate and on a wall.
    float bevel = min(0.022, 0.12 * min(size.x, min(size.y, size.z)));
    local = position * iScale.xyz + inset * sign(iScale.xyz) * bevel;
    localNormal = normalize(normal / iScale.xyz);
    world = iPlace.xyz + turn(iRotation, local);
    rotation = iRotation;
    scaleSeed = vec4(size, iExtra.x);
    color = iColor;
    emissive = iEmissive;
    surface = vec4(iPlace.w, iScale.w, iExtra.y, 0.0);
    gl_Position = viewProjection * vec4(world, 1.0);
}
)";

const std::string_view SurfaceFragment = R"(
in vec3 world;
in vec3 local;
in vec3 localNormal;
flat in vec4 rotation;
flat in vec4 scaleSeed;
flat in vec4 color;
flat in vec4 emissive;
flat in vec4 surface;
uniform sampler2DArray details;
uniform sampler2DShadow shadowMap;
uniform sampler2D shadowDepth;
uniform sampler2D heights;
uniform float detailTile[9];
out vec4 fragment;

vec3 turn(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }

const vec2 Search[8] = vec2[](vec2(0.250, 0.000), vec2(-0.319, 0.292), vec2(0.049, -0.557), vec2(0.402, 0.525),
                              vec2(-0.739, -0.131), vec2(0.699, -0.445), vec2(-0.234, 0.870), vec2(-0.446, -0.859));
const vec2 Disc[14] = vec2[](vec2(0.9636, 0.0), vec2(-0.0871, 0.9224), vec2(-0.8390, -0.3440), vec2(0.5150, -0.7480),
                             vec2(0.189, 0.0), vec2(-0.241, 0.221), vec2(0.037, -0.421), vec2(0.304, 0.397),
                             vec2(-0.559, -0.099), vec2(0.528, -0.336), vec2(-0.177, 0.658), vec2(-0.337, -0.649),
                             vec2(0.717, 0.262), vec2(-0.728, 0.303));

// 1: the sun is seen whole. `face` is the surface's own normal, without detail.
float sunSeen(vec3 face) {
    float slant = dot(face, toSun.xyz);
    if (slant <= 0.0) return 0.0;
    float texel = shadowScale.w;
    vec3 p = world + face * (texel * (0.6 + 1.2 * (1.0 - slant))) + toSun.xyz * (texel * 0.4);
    vec3 s = (shadowMatrix * vec4(p, 1.0)).xyz;
    vec2 fromMiddle = abs(s.xy - 0.5);
    if (max(fromMiddle.x, fromMiddle.y) > 0.497) return 1.0;
    s.z = min(s.z, 0.9999);
    // Depth of the surface's own plane across the filter: a wide filter on a slanted floor then does not shade itself.
    vec2 slope = vec2(dot(face, shadowRight.xyz), dot(face, shadowUp.xyz)) / max(slant, 0.15);
    slope /= shadowScale.z;
    if (sunColor.w < 0.5) {
        vec2 reach = shadowScale.xy * texel * 0.75;
        float seen = 0.0;
        for (int i = 0; i < 4; ++i) {
            vec2 d = Disc[i];
            seen += texture(shadowMap, vec3(s.xy + d * reach, s.z + dot(slope, d) * texel * 0.75));
        }
        return seen * 0.25;
    }
    float turnBy = grain(gl_FragCoord.xy) * 6.2831853;
    vec2 cs = vec2(cos(turnBy), sin(turnBy));
    mat2 spin = mat2(cs.x, cs.y, -cs.y, cs.x);
    // Penumbra from the mean distance of what stands in the way: Fernando, "Percentage-Closer Soft Shadows" (2005).
    const float Widest = 0.34;
    float found = 0.0, depth = 0.0;
    for (int i = 0; i < 8; ++i) {
        vec2 d = spin * Search[i] * Widest;
        float there = textureLod(shadowDepth, s.xy + d * shadowScale.xy, 0.0).r;
        float blocks = step(there, s.z + dot(slope, d) - 0.02 / shadowScale.z);
        found += blocks;
        depth += there * blocks;
    }
    if (found < 0.5) return 1.0;
    float gap = max(s.z - depth / found, 0.0) * shadowScale.z;
    float radius = clamp(gap * 0.04, texel * 1.1, Widest);
    float seen = 0.0;
    for (int i = 0; i < 4; ++i) {
        vec2 d = spin * Disc[i] * radius;
        seen += texture(shadowMap, vec3(s.xy + d * shadowScale.xy, s.z + dot(slope, d)));
    }
    // The rim agrees: deep in shadow or far out of it.
    if (seen < 0.01 && found > 7.5) return 0.0;
    for (int i = 4; i < 14; ++i) {
        vec2 d = spin * Disc[i] * radius;
        seen += texture(shadowMap, vec3(s.xy + d * shadowScale.xy, s.z + dot(slope, d)));
    }
    return seen / 14.0;
}

// How much of the sky is hidden by what stands around: the share of the neighbourhood that is higher, by Chebyshev's inequality over
// blurred heights and their squares.
float skySeen(vec3 n) {
    vec2 at = (world.xz + n.xz * 0.45 - heightArea.xy) * heightArea.zw;
    vec2 inside = step(abs(at - 0.5), vec2(0.5));
    vec2 moments = texture(heights, at).rg;
    float spread = max(moments.y - moments.x * moments.x, 0.02);
    float above = world.y + max(n.y, 0.0) * 0.12 - heightRange.x - moments.x;
    float share = spread / (spread + above * above);
    share = above > 0.0 ? share : 1.0 - 0.5 * share;
    return 1.0 - heightRange.y * inside.x * inside.y * smoothstep(0.08, 0.95, share);
}

vec3 lightFrom(vec3 n, vec3 v, vec3 l, float nv, vec3 diffuse, vec3 f0, float a2, float k) {
    float nl = clamp(dot(n, l), 0.0, 1.0);
    vec3 h = normalize(v + l);
    float nh = clamp(dot(n, h), 0.0, 1.0);
    float m = 1.0 - clamp(dot(v, h), 0.0, 1.0);
    float d = nh * nh * (a2 - 1.0) + 1.0;
    float m2 = m * m;
    vec3 f = f0 + (1.0 - f0) * (m2 * m2 * m);
    // Normal distribution (Walter et al. 2007) and Smith visibility in Schlick's form; pi is in the light's unit.
    float spec = a2 / (d * d) * 0.25 / ((nl * (1.0 - k) + k) * (nv * (1.0 - k) + k));
    return (diffuse * (1.0 - f) + f * min(spec, 40.0)) * nl;
}

void main() {
    vec3 away = world - cameraPosition.xyz;
    float distance = length(away);
    vec3 v = -away / distance;
    vec3 nl = normalize(localNormal);
    vec3 face = turn(rotation, nl);
    // Open surfaces are seen from behind too.
    float side = dot(face, v) < 0.0 && !gl_FrontFacing ? -1.0 : 1.0;
    nl *= side;
    face *= side;

    int material = int(emissive.w + 0.5);
    float roughness = surface.x;
    vec3 albedo = color.rgb;
    vec3 n = face;
    float seed = scaleSeed.w;
    vec3 glow = emissive.rgb;
    if (material != 0) {
        // The face of a box this part of the surface looks out of gives the picture's axes.
        vec3 a = abs(nl);
        vec3 p = local;
        float tile = detailTile[material];
        vec3 toU, toV;
        vec2 uv;
        bool covers = tile == 0.0;
        if (covers) { p = local / scaleSeed.xyz + 0.5; tile = 1.0; }
        float bend = 1.0;
        if (a.y >= a.x && a.y >= a.z) { uv = p.xz; toU = vec3(1, 0, 0); toV = vec3(0, 0, 1); }
        else {
            if (a.x >= a.z) { uv = p.zy; toU = vec3(0, 0, 1); toV = vec3(0, 1, 0); }
            else { uv = p.xy; toU = vec3(1, 0, 0); toV = vec3(0, 1, 0); }
            if (material == 1) tile *= 0.5;
        }
        if (material == 3) {
            // Planks run along the longest side of this face.
            if (dot(toV, scaleSeed.xyz) > dot(toU, scaleSeed.xyz) * 1.001) {
                uv = uv.yx;
                vec3 t = toU; toU = toV; toV = t;
            }
            uv += vec2(seed * 7.3, floor(seed * 10.0) * 0.2);
        } else if (covers) {
            if (fract(seed * 8.0) > 0.5) uv.x = 1.0 - uv.x, toU = -toU;
        } else if (material >= 5) {
            uv += vec2(seed * 3.7, seed * 9.1);
        }
        vec4 detail = texture(details, vec3(uv / tile, float(material)), -0.6);
        // Fades before it would shimmer.
        float keep = 1.0 - smoothstep(18.0, 60.0, distance) * 0.75;
        vec2 lean = (detail.rg - 0.502) * (2.0 * keep);
        if (material == 6 || material == 7) lean *= 0.35;
        vec3 bumped = normalize(nl + toU * lean.x + toV * lean.y);
        n = turn(rotation, bumped);
        float tint = detail.b * 1.992;
        if (material == 1 || material == 2 || material == 8) {
            // Broad stains, so that the tile does not show.
            float stain = texture(details, vec3((world.xz + world.y * 0.37) / detailTile[0], 0.0)).b * 1.992;
            tint *= mix(1.0, stain, 0.55);
            albedo *= mix(vec3(1.0), vec3(1.06, 1.0, 0.90), clamp((stain - 0.9) * 1.6, -0.6, 0.6));
        }
        tint = mix(1.0, tint, material == 7 ? 0.4 : 1.0);
        albedo *= tint * (material == 3 || material == 4 ? 0.88 + 0.24 * fract(seed * 5.0) : 1.0);
        roughness = clamp(roughness + (detail.a - 0.502), 0.05, 1.0);
        if (material == 7) {
            float rim = 1.0 - clamp(dot(face, v), 0.0, 1.0);
            glow *= (0.42 + 1.9 * rim * rim) * (0.55 + 0.9 * detail.b);
        }
    }

    float nv = clamp(dot(n, v), 0.02, 1.0);
    float metallic = surface.y;
    vec3 f0 = mix(vec3(0.04), albedo, metallic);
    vec3 diffuse = albedo * (1.0 - metallic);
    float alpha = max(roughness * roughness, 0.004);
    float a2 = alpha * alpha;
    float k = (roughness + 1.0) * (roughness + 1.0) * 0.125;

    vec3 light = glow;
    if (dot(n, toSun.xyz) > 0.0) {
        float seen = toSun.w > 0.5 ? sunSeen(face) : 1.0;
        if (seen > 0.0) light += sunColor.rgb * seen * lightFrom(n, v, toSun.xyz, nv, diffuse, f0, a2, k);
    }
    int lights = int(groundColor.w);
    for (int i = 0; i < lights; ++i) {
        vec3 to = lightPosition[i].xyz - world;
        float range = lightPosition[i].w;
        float d2 = dot(to, to);
        if (d2 < range * range) {
            float edge = d2 / (range * range);
            float fade = clamp(1.0 - edge * edge, 0.0, 1.0);
            float strength = fade * fade / max(d2, 0.04);
            light += lightColor[i].rgb * strength * lightFrom(n, v, to * inversesqrt(max(d2, 1e-6)), nv, diffuse, f0, a2, k);
        }
    }
    // Sky and ground: a hemisphere for what is scattered, the mirrored direction for what is reflected.
    float occlusion = skySeen(face);
    vec3 sky = mix(horizon.rgb, zenith.rgb, 0.55);
    vec3 around = mix(groundColor.rgb, sky, 0.5 + 0.5 * n.y);
    around += haze(normalize(vec3(n.x, 0.0, n.z) + vec3(0.0, 1e-4, 0.0))) * 0.7;
    vec3 mirrored = surroundings(reflect(-v, n), roughness);
    // Karis, "Physically Based Shading on Mobile" (2014).
    vec4 r = roughness * vec4(-1.0, -0.0275, -0.572, 0.022) + vec4(1.0, 0.0425, 1.04, -0.04);
    float a004 = min(r.x * r.x, exp2(-9.28 * nv)) * r.x + r.y;
    vec2 split = vec2(-1.04, 1.04) * a004 + r.zw;
    light += (diffuse * around + mirrored * (f0 * split.x + split.y)) * (occlusion * horizon.w);

    if (surface.z > 0.5) light = light * 1.25 + vec3(0.03);
    float fog = 1.0 - exp2(-zenith.w * 1.442695 * distance);
    light = mix(light, skyAlong(normalize(vec3(-v.x, max(-v.y, 0.0), -v.z))), fog);
    fragment = vec4(finish(light, gl_FragCoord.xy), color.a);
}
)";

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
    along = cameraForward.xyz + cameraRight.xyz * (corner.x * cameraRight.w) + cameraUp.xyz * (corner.y * cameraUp.w);
    gl_Position = vec4(corner, 1.0, 1.0);
}
)";

const std::string_view SkyFragment = R"(
in vec3 along;
out vec4 fragment;
void main() {
    vec3 d = normalize(along);
    vec3 light = skyAlong(d);
    float c = max(dot(d, toSun.xyz), 0.0);
    // Disc and aureole.
    light += sunColor.rgb * (smoothstep(0.99985, 0.99993, c) * 12.0 + 0.35 * pow(c, 220.0) + 0.9 * pow(c, 2400.0));
    // Below the horizon the land lies in haze.
    float down = clamp(-d.y * 3.0, 0.0, 1.0);
    light = mix(light, groundColor.rgb * 0.9 + light * 0.25, down * down * (3.0 - 2.0 * down));
    fragment = vec4(finish(light, gl_FragCoord.xy), 1.0);
}
)";

const std::string_view GridVertex = R"(
out vec3 world;
uniform float reach;
void main() {
    vec2 corner = vec2((gl_VertexID & 1) == 0 ? -1.0 : 1.0, gl_VertexID < 2 ? -1.0 : 1.0);
    world = vec3(cameraPosition.x + corner.x * reach, 0.0, cameraPosition.z + corner.y * reach);
    gl_Position = viewProjection * vec4(world, 1.0);
}
)";

const std::string_view GridFragment = R"(
in vec3 world;
out vec4 fragment;
uniform float reach;
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
    vec2 p = world.xz;
    float distance = length(world - cameraPosition.xyz);
    float fade = 1.0 - smoothstep(0.35 * reach, 0.95 * reach, distance);
    float strength = max(lines(p, 1.0, 1.0) * 0.16, lines(p, 5.0, 1.3) * 0.30);
    vec3 tone = vec3(0.92, 0.95, 1.0);
    vec2 axis = clamp(1.2 - abs(p) / max(fwidth(p), vec2(1e-5)), 0.0, 1.0);
    // x runs along z = 0.
    if (axis.y > 0.0) { tone = mix(tone, vec3(0.93, 0.37, 0.33), axis.y); strength = max(strength, 0.6 * axis.y); }
    if (axis.x > 0.0) { tone = mix(tone, vec3(0.35, 0.60, 0.96), axis.x); strength = max(strength, 0.6 * axis.x); }
    fragment = vec4(tone, strength * fade);
}
)";

const std::string_view HaloVertex = R"(
layout(location = 3) in vec4 place; // centre, radius
layout(location = 4) in vec4 light;
out vec2 at;
flat out vec3 tone;
void main() {
    at = vec2((gl_VertexID & 1) == 0 ? -1.0 : 1.0, gl_VertexID < 2 ? -1.0 : 1.0);
    vec3 toCamera = normalize(cameraPosition.xyz - place.xyz);
    // Before the thing itself, which would otherwise cut it.
    vec3 centre = place.xyz + toCamera * min(place.w * light.w, 0.5 * distance(cameraPosition.xyz, place.xyz));
    tone = light.rgb;
    gl_Position = viewProjection * vec4(centre + (cameraRight.xyz * at.x + cameraUp.xyz * at.y) * place.w, 1.0);
}
)";

const std::string_view HaloFragment = R"(
in vec2 at;
flat in vec3 tone;
out vec4 fragment;
void main() {
    float f = max(1.0 - dot(at, at), 0.0);
    vec3 c = tone * (f * f * f);
    fragment = vec4(encodeSrgb(clamp(c, 0.0, 1.0)) * f + (grain(gl_FragCoord.xy) - 0.5) / 255.0 * step(0.001, f), 1.0);
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
    vec4 nearer = viewProjection * vec4(cameraPosition.xyz + (p - cameraPosition.xyz) * 0.996, 1.0);
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

const std::string_view ScreenVertex = R"(
void main() {
    gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);
}
)";

const std::string_view OutlineFragment = R"(
uniform sampler2D layer;
uniform vec4 area;   // corner on the target, 1 / size of the layer's picture
uniform vec4 accent;
uniform float width;
out vec4 fragment;
void main() {
    vec2 at = (gl_FragCoord.xy - area.xy) * area.zw;
    float own = texture(layer, at).r;
    if (own > 0.995) discard;
    float near = own;
    for (int i = 0; i < 16; ++i) {
        float angle = float(i) * 0.39269908;
        vec2 d = vec2(cos(angle), sin(angle)) * area.zw;
        near = max(near, texture(layer, at + d * (width - 0.5)).r);
        if ((i & 1) == 0) near = max(near, texture(layer, at + d * (width * 0.5)).r);
    }
    float alpha = near * (1.0 - own) * accent.a;
    if (alpha <= 0.003) discard;
    fragment = vec4(accent.rgb * alpha, alpha);
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

const std::string_view MaskFragment = R"(
out vec4 fragment;
void main() { fragment = vec4(1.0); }
)";

// ---------------------------------------------------------------- heights for occlusion

// First pass: depth from above to height and its square, blurred along one axis; second pass: blurred along the other.
const std::string_view HeightBlurFragment = R"(
uniform sampler2D source;
uniform vec4 turnOver; // heights' span (0: the source holds moments), size in texels of the target, step along x and y in the source
uniform float radius;  // steps to a side
out vec4 fragment;
void main() {
    vec2 at = gl_FragCoord.xy / turnOver.y;
    vec2 sum = vec2(0.0);
    float total = 0.0;
    for (int i = -6; i <= 6; ++i) {
        float x = float(i) / 6.0;
        float weight = 1.0 - x * x * 0.85;
        vec4 texel = texture(source, at + turnOver.zw * (x * radius));
        float h = (1.0 - texel.r) * turnOver.x;
        sum += weight * (turnOver.x > 0.0 ? vec2(h, h * h) : texel.rg);
        total += weight;
    }
    fragment = vec4(sum / total, 0.0, 1.0);
}
)";

} // namespace sbx::render::shaders
