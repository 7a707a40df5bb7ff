#include "engine/render/shaders.h"

namespace sbx::render::shaders {

const std::string_view SurfaceVertex = R"(
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 inset;
layout(location = 3) in vec4 iPlace;    // position, roughness
layout(location = 4) in vec4 iRotation;
layout(location = 5) in vec4 iScale;    // scale, metallic
layout(location = 6) in vec4 iColor;
layout(location = 7) in vec4 iEmissive;
layout(location = 8) in vec4 iExtra;    // seed, highlight
out vec3 world;
out vec3 local;        // metres, before rotation
out vec3 localNormal;
flat out vec3 turnX;   // the rotation's columns
flat out vec3 turnY;
flat out vec3 turnZ;
flat out vec4 scaleSeed;
flat out vec4 color;
flat out vec3 emissive;
flat out vec3 surface; // roughness, metallic, highlight
#if SHADOWS != 0
out vec3 shadowPlace;  // in the shadow map
out vec2 shadowSlope;  // of the surface's own depth over the map, a metre
#endif
#if OCCLUSION
out vec3 skyPlace;     // in the height map; metres above its floor
#endif
vec3 turn(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
void main() {
    vec3 size = abs(iScale.xyz);
    // The same width of edge on a crate and on a wall.
    float bevel = min(0.022, 0.12 * min(size.x, min(size.y, size.z)));
    local = position * iScale.xyz + inset * sign(iScale.xyz) * bevel;
    localNormal = normalize(normal / iScale.xyz);
    turnX = turn(iRotation, vec3(1.0, 0.0, 0.0));
    turnY = turn(iRotation, vec3(0.0, 1.0, 0.0));
    turnZ = cross(turnX, turnY);
    world = iPlace.xyz + mat3(turnX, turnY, turnZ) * local;
    scaleSeed = vec4(size, iExtra.x);
    color = iColor;
    emissive = iEmissive.xyz;
    surface = vec3(iPlace.w, iScale.w, iExtra.y);
    vec3 face = mat3(turnX, turnY, turnZ) * localNormal;
#if SHADOWS != 0
    float slant = dot(face, toSun.xyz);
    float texel = shadowScale.w;
    // The map holds far sides only (renderer.cpp), so what is lit is well before them. The bias is away from
    // the sun: places on which things stand count as in their shade, and no light leaks in along the edge.
    vec3 p = world - toSun.xyz * (texel * 0.7);
    shadowPlace = (shadowMatrix * vec4(p, 1.0)).xyz;
    shadowSlope = vec2(dot(face, shadowRight.xyz), dot(face, shadowUp.xyz));
    shadowSlope /= max(slant, 0.15) * shadowScale.z;
#endif
#if OCCLUSION
    skyPlace.xy = (world.xz + face.xz * 0.45 - heightArea.xy) * heightArea.zw;
    skyPlace.z = world.y + max(face.y, 0.0) * 0.12 - heightRange.x;
#endif
    gl_Position = viewProjection * vec4(world, 1.0);
}
)";

// Compiled once per material and lighting, with these defined:
//   MATERIAL 0-8 as enum Material, LIGHTS 0 | 1, SHADOWS 0 off | 1 sharp | 2 soft, OCCLUSION 0 | 1.
// Software renderers run both sides of every branch, so what can be decided before the draw is; a do loop
// that may end early is the one branch they do skip.
const std::string_view SurfaceFragment = R"(
in vec3 world;
in vec3 local;
in vec3 localNormal;
flat in vec3 turnX;
flat in vec3 turnY;
flat in vec3 turnZ;
flat in vec4 scaleSeed;
flat in vec4 color;
flat in vec3 emissive;
flat in vec3 surface;
uniform sampler2D detailMap;
uniform sampler2DShadow shadowMap;
uniform sampler2D shadowTiles;
uniform sampler2D heights;
uniform sampler2D stainMap;
uniform float detailTile; // metres; 0: once a face
uniform vec2 tileCount;
out vec4 fragment;

#define STONE 1
#define PLASTER 2
#define WOOD 3
#define CRATE 4
#define METAL 5
#define BRASS 6
#define GLOW 7
#define GRASS 8
// Rough and dull: the mirrored surroundings need no look.
#define STAINED (MATERIAL == STONE || MATERIAL == PLASTER || MATERIAL == GRASS)
#define MATT (STAINED || MATERIAL == WOOD || MATERIAL == CRATE)

#if SHADOWS != 0
in vec3 shadowPlace;
in vec2 shadowSlope;
// 1: the sun is seen whole.
float sunSeen() {
    vec3 s = vec3(shadowPlace.xy, min(shadowPlace.z, 0.9999));
    // With the depth of the surface's own plane across the filter a wide filter on a slanted floor does not
    // shade itself.
    vec2 slope = shadowSlope;
#if SHADOWS == 1
    vec2 d = vec2(0.35, 0.15) * shadowScale.w;
    float seen = 0.5 * (texture(shadowMap, vec3(s.xy + d * shadowScale.xy, s.z + dot(slope, d))) +
                        texture(shadowMap, vec3(s.xy - d * shadowScale.xy, s.z - dot(slope, d))));
#else
    // Around here: the nearest depth to the sun, the farthest, the mean of what is not empty.
    vec3 tile = texelFetch(shadowTiles, ivec2(clamp(s.xy, 0.0, 0.9999) * tileCount), 0).rgb;
    // Penumbra from the distance to what stands in the way: Fernando, "Percentage-Closer Soft Shadows"
    // (2005).
    float radius = clamp((s.z - tile.z) * shadowScale.z * 0.04, shadowScale.w, shadowRight.w);
    float spread = (abs(slope.x) + abs(slope.y)) * radius;
    float lit = step(s.z + spread, tile.x);
    float dark = step(tile.y, s.z - spread);
    vec2 noise = vec2(grain(gl_FragCoord.xy), grain(gl_FragCoord.yx + 37.0)) - 0.4999;
    vec2 d = noise * (inversesqrt(dot(noise, noise)) * radius);
    // Vogel's spiral from the rim inwards: the golden angle from one look to the next. Where all around agree
    // one suffices, where the first four do, four.
    float seen = 0.0;
    float count = 0.0;
    bool more;
    do {
        d = vec2(-0.7373688 * d.x - 0.6754903 * d.y, 0.6754903 * d.x - 0.7373688 * d.y);
        vec2 o = d * sqrt(0.95 - count * 0.1111);
        seen += texture(shadowMap, vec3(s.xy + o * shadowScale.xy, s.z + dot(slope, o)));
        count += 1.0;
        more = lit + dark < 0.5 && count < 8.5 && (count < 3.5 || (seen > 0.02 && seen < count - 0.02));
    } while (more);
    seen = max(seen / count * (1.0 - dark), lit);
#endif
    vec2 fromMiddle = abs(s.xy - 0.5);
    return max(fromMiddle.x, fromMiddle.y) > 0.498 ? 1.0 : seen;
}
#endif

#if OCCLUSION
in vec3 skyPlace;
// How much of the sky is seen past what stands around. From the mean and the deviation of the heights around,
// as if they had two values, the floor's and one other: the root of its share of the neighbourhood (a wall
// hides more than it covers), where it is above this place.
float skySeen() {
    vec2 moments = texture(heights, skyPlace.xy).rg * heightRange.z;
    float mean = moments.x;
    float spread = moments.y * moments.y;
    // Where nothing stands the share is none, whatever lies below the region.
    float share = mean * inversesqrt(mean * mean + spread + 1e-4);
    float top = mean + spread / max(mean, 0.001);
    vec2 inside = step(abs(skyPlace.xy - 0.5), vec2(0.5));
    return 1.0 - heightRange.y * inside.x * inside.y * share * clamp((top - skyPlace.z) * 1.6, 0.0, 1.0);
}
#endif

// What arrives from l, for a light of unit strength: Lambert, and GGX (Walter et al. 2007) with Smith
// visibility in Schlick's form. The light's unit holds pi.
vec3 lightFrom(vec3 n, vec3 v, vec3 l, float nv, vec3 diffuse, vec3 f0, float roughness, float a2, float k) {
    float nl = clamp(dot(n, l), 0.0, 1.0);
    vec3 h = normalize(v + l);
    float nh = clamp(dot(n, h), 0.0, 1.0);
    float m = 1.0 - clamp(dot(v, h), 0.0, 1.0);
    float d = nh * nh * (a2 - 1.0) + 1.0;
    float m2 = m * m;
    // Rough surfaces do not turn to mirrors at their edges.
    vec3 f = f0 + max(vec3(1.0 - 1.2 * roughness) - f0, vec3(0.0)) * (m2 * m2 * m);
    float spec = a2 * 0.25 / (d * d * (nl * (1.0 - k) + k) * (nv * (1.0 - k) + k));
    return (diffuse * (1.0 - f) + f * min(spec, 40.0)) * nl;
}

void main() {
    vec3 away = cameraForward.w > 0.0 ? cameraForward.xyz * cameraForward.w : world - cameraPosition.xyz;
    float distance2 = dot(away, away);
    float inverseDistance = inversesqrt(distance2);
    float distance = distance2 * inverseDistance;
    vec3 v = away * -inverseDistance;
    vec3 nl = normalize(localNormal);
    mat3 turn = mat3(turnX, turnY, turnZ);
    vec3 face = turn * nl;
    // Open surfaces are seen from behind too.
    float side = !gl_FrontFacing && dot(face, v) < 0.0 ? -1.0 : 1.0;
    nl *= side;
    face *= side;

    float roughness = surface.x;
    vec3 albedo = color.rgb;
    vec3 n = face;
    float seed = scaleSeed.w;
    vec3 glow = emissive;
#if MATERIAL != 0
    // The face of a box this part of the surface looks out of gives the picture's axes.
    vec3 a = abs(nl);
    bool up = a.y >= a.x && a.y >= a.z;
    bool across = !up && a.x >= a.z;
#if MATERIAL == CRATE
    vec3 p = local / scaleSeed.xyz + 0.5;
    float tile = 1.0;
#else
    vec3 p = local;
    float tile = 1.0 / detailTile;
#endif
    vec2 uv = up ? p.xz : across ? p.zy : p.xy;
    vec3 toU = across ? vec3(0, 0, 1) : vec3(1, 0, 0);
    vec3 toV = up ? vec3(0, 0, 1) : vec3(0, 1, 0);
#if MATERIAL == STONE
    tile = up ? tile : tile * 2.0;
#elif MATERIAL == WOOD
    // Planks run along the longest side of this face.
    bool swapped = dot(toV, scaleSeed.xyz) > dot(toU, scaleSeed.xyz) * 1.001;
    uv = swapped ? uv.yx : uv;
    vec3 other = toU;
    toU = swapped ? toV : toU;
    toV = swapped ? other : toV;
    uv += vec2(seed * 7.3, floor(seed * 10.0) * 0.2);
#elif MATERIAL == CRATE
    float flip = fract(seed * 8.0) > 0.5 ? -1.0 : 1.0;
    uv.x = flip < 0.0 ? 1.0 - uv.x : uv.x;
    toU *= flip;
#elif MATERIAL == GLOW
    // As the camera sees it: no seams, and it reads as depth.
    vec3 fromMiddle = turn * local;
    uv = vec2(dot(fromMiddle, cameraRight.xyz), dot(fromMiddle, cameraUp.xyz)) + vec2(seed * 3.7, seed * 9.1);
#elif !STAINED
    uv += vec2(seed * 3.7, seed * 9.1);
#endif
    vec4 detail = texture(detailMap, uv * tile, -0.6);
    // Fades before it would shimmer.
    vec2 lean = (detail.rg - 0.502) * clamp(2.6 - distance * 0.036, 0.5, 2.0);
#if MATERIAL == BRASS || MATERIAL == GLOW
    lean *= 0.35;
#endif
    n = turn * normalize(nl + toU * lean.x + toV * lean.y);
    float tint = detail.b * 1.992;
#if STAINED
    // Broad stains, so that the tile does not show.
    float stain = texture(stainMap, (world.xz + world.y * 0.37) * (1.0 / 17.0)).b * 1.992;
    tint *= 0.45 + 0.55 * stain;
    albedo *= vec3(1.0) + vec3(0.06, 0.0, -0.10) * clamp((stain - 0.9) * 1.6, -0.6, 0.6);
#elif MATERIAL == GLOW
    tint = 0.6 + 0.4 * tint;
    float rim = 1.0 - clamp(dot(face, v), 0.0, 1.0);
    float swirl = detail.b * 2.0 - 0.3;
    glow *= (0.10 + 1.5 * rim * rim) + 0.55 * swirl * swirl * (1.0 - rim);
#elif MATERIAL == WOOD || MATERIAL == CRATE
    tint *= 0.88 + 0.24 * fract(seed * 5.0);
#endif
    albedo *= tint;
    roughness = clamp(roughness + (detail.a - 0.502), 0.05, 1.0);
#endif

    float nv = clamp(dot(n, v), 0.02, 1.0);
#if MATT
    vec3 f0 = vec3(0.04);
    vec3 diffuse = albedo;
#else
    float metallic = surface.y;
    vec3 f0 = mix(vec3(0.04), albedo, metallic);
    vec3 diffuse = albedo * (1.0 - metallic);
#endif
    float alpha = max(roughness * roughness, 0.004);
    float a2 = alpha * alpha;
    float k = (roughness + 1.0) * (roughness + 1.0) * 0.125;

    float slant = dot(face, toSun.xyz);
    vec3 light = lightFrom(n, v, toSun.xyz, nv, diffuse, f0, roughness, a2, k) * sunColor.rgb;
    // The face decides, so that detail does not light what looks away.
    light *= clamp(slant * 12.0, 0.0, 1.0);
#if SHADOWS != 0
    light *= sunSeen();
#endif
    light += glow;
#if LIGHTS
    int lights = int(groundColor.w);
    int i = 0;
    do {
        vec3 to = lightPosition[i].xyz - world;
        float range2 = lightPosition[i].w;
        float d2 = dot(to, to);
        float edge = d2 * range2;
        float fade = clamp(1.0 - edge * edge, 0.0, 1.0);
        vec3 l = to * inversesqrt(max(d2, 1e-6));
#if MATT
        vec3 back = diffuse * clamp(dot(n, l), 0.0, 1.0);
#else
        vec3 back = lightFrom(n, v, l, nv, diffuse, f0, roughness, a2, k);
#endif
        light += lightColor[i].rgb * (fade * fade / max(d2, 0.04)) * back;
        ++i;
    } while (i < lights);
#endif
    // Sky and ground: a hemisphere for what is scattered, the mirrored direction for what is reflected.
    vec4 n1 = vec4(n, 1.0);
    vec3 around = max(vec3(dot(scattered[0], n1), dot(scattered[1], n1), dot(scattered[2], n1)), vec3(0.0));
#if MATT
    vec3 ambient = (diffuse + 0.03) * around;
#else
    vec3 mirrored = surroundings(reflect(-v, n), roughness);
    // Karis, "Physically Based Shading on Mobile" (2014).
    vec4 r = roughness * vec4(-1.0, -0.0275, -0.572, 0.022) + vec4(1.0, 0.0425, 1.04, -0.04);
    float a004 = min(r.x * r.x, exp2(-9.28 * nv)) * r.x + r.y;
    vec2 split = vec2(-1.04, 1.04) * a004 + r.zw;
    vec3 ambient = diffuse * around + mirrored * (f0 * split.x + split.y);
#endif
#if OCCLUSION
    ambient *= skySeen();
#endif
    light += ambient * horizon.w;
    light += (light * 0.25 + 0.03) * surface.z;

    // exp(-x^2), near enough: what is near stays clear. The air between has the sky's colour at the horizon.
    float x = zenith.w * zenith.w * distance2;
    float clear = 1.0 / (1.0 + x * (1.0 + x * (0.48 + 0.235 * x)));
    light = mix(horizon.rgb + haze(-v), light, clear);
    fragment = vec4(finish(light), color.a);
}
)";

} // namespace sbx::render::shaders
