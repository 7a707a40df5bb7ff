#pragma once
// What an entity looks like: Mesh, Light, Camera, Sun, Sky. They only feed the VisualSystem; none has state of the
// simulation.

#include "engine/components/messages.h"
#include "engine/components/visual_system.h"
#include "engine/entity/component_type.h"

namespace sbx {

class Mesh : public Component {
public:
    struct Settings {
        std::string mesh;
        Vec3 size{0.0F};
        Vec3 offset{0.0F};
        Vec3 rotation{0.0F};
        Vec4 color{0.8F, 0.8F, 0.8F, 1.0F};
        render::Material material = render::Material::Plain;
        float roughness = 0.7F;
        float metallic = 0.0F;
        Vec4 emissive{0.0F, 0.0F, 0.0F, 1.0F};
        bool shadow = true;
        bool visible = true;
        float swing = 0.0F;
        float swingRate = 1.0F;
        Vec3 swingAxis{0.0F, 0.0F, 1.0F};
        static void describe(FieldList<Settings>& f);
    };
    Settings settings;
    Mesh(const ComponentContext& context, const Settings& s);
    ~Mesh();
    static void describe(ComponentBuilder<Mesh>& b);
    void settingsChanged() { refresh(); }

private:
    bool onAwake(Awake&);
    bool onEnable(OnEnable&) { return m_visual.enabled = true, false; }
    bool onDisable(OnDisable&) { return m_visual.enabled = false, false; }
    bool onExtentChanged(ExtentChanged&);
    void refresh();
    Visual m_visual;
    std::string m_fault; // why there is no mesh, as the log has it
};

class Light : public Component {
public:
    struct Settings {
        Vec4 color{1.0F, 0.9F, 0.7F, 1.0F};
        float intensity = 4.0F;
        float range = 8.0F;
        Vec3 offset{0.0F};
        bool on = true;
        static void describe(FieldList<Settings>& f);
    };
    Settings settings;
    Light(const ComponentContext& context, const Settings& s);
    ~Light();
    static void describe(ComponentBuilder<Light>& b);
    void settingsChanged(const Settings& before);

private:
    bool onActivate(Activate&);
    bool onEnable(OnEnable&) { return m_light.enabled = true, false; }
    bool onDisable(OnDisable&) { return m_light.enabled = false, false; }
    bool onDeactivate(Deactivate&);
    void refresh();
    LightVisual m_light;
};

class Camera : public Component {
public:
    struct Settings {
        float fov = 60.0F;
        Vec3 offset{0.0F};
        Vec3 rotation{0.0F};
        float nearPlane = 0.1F;
        float farPlane = 500.0F;
        int rank = 0;
        bool active = true;
        static void describe(FieldList<Settings>& f);
    };
    Settings settings;
    Camera(const ComponentContext& context, const Settings& s);
    ~Camera();
    static void describe(ComponentBuilder<Camera>& b);
    void settingsChanged(const Settings& before);

private:
    bool onActivate(Activate&);
    bool onEnable(OnEnable&) { return m_camera.enabled = true, false; }
    bool onDisable(OnDisable&) { return m_camera.enabled = false, false; }
    bool onDeactivate(Deactivate&);
    bool onAim(Aim& m);
    float m_pitch = 0.0F; // degrees upwards, as last aimed
    void refresh();
    CameraVisual m_camera;
};

class Sun : public Component {
public:
    struct Settings {
        Vec4 color{1.0F, 0.80F, 0.56F, 1.0F};
        float intensity = 3.6F;
        float azimuth = 124.0F;
        float elevation = 27.0F;
        static void describe(FieldList<Settings>& f);
    };
    Settings settings;
    Sun(const ComponentContext& context, const Settings& s);
    ~Sun();
    static void describe(ComponentBuilder<Sun>& b);
    void settingsChanged();

private:
    bool onEnable(OnEnable&);
    bool onDisable(OnDisable&);
    bool m_enabled;
};

class Sky : public Component {
public:
    struct Settings {
        Vec4 zenith{0.10F, 0.22F, 0.48F, 1.0F};
        Vec4 horizon{0.60F, 0.66F, 0.72F, 1.0F};
        Vec4 ground{0.22F, 0.19F, 0.16F, 1.0F};
        float ambient = 1.0F;
        float fog = 0.006F;
        float clouds = 0.7F;
        float exposure = 1.0F;
        static void describe(FieldList<Settings>& f);
    };
    Settings settings;
    Sky(const ComponentContext& context, const Settings& s);
    ~Sky();
    static void describe(ComponentBuilder<Sky>& b);
    void settingsChanged();

private:
    bool onEnable(OnEnable&);
    bool onDisable(OnDisable&);
    bool m_enabled;
};

} // namespace sbx
