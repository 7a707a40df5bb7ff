# What a copy of the programs carries beside them so that it runs where neither Qt nor any other library of ours is installed. One list for
# the archives (SignalboxBundle.cmake.in) and for exported games (app/export).

# Below Qt's folder of plugins, without their ending. Those that are not on this machine are left out, but for the required ones.
set(SBX_CARRIED_QT_PLUGINS
    platforms/libqxcb platforms/libqwayland-generic platforms/libqwayland-egl platforms/libqoffscreen
    xcbglintegrations/libqxcb-egl-integration xcbglintegrations/libqxcb-glx-integration
    wayland-shell-integration/libxdg-shell wayland-graphics-integration-client/libqt-plugin-wayland-egl
    wayland-decoration-client/libbradient
    platforminputcontexts/libcomposeplatforminputcontextplugin platforminputcontexts/libibusplatforminputcontextplugin
    imageformats/libqsvg imageformats/libqjpeg iconengines/libqsvgicon)
set(SBX_REQUIRED_QT_PLUGINS platforms/libqxcb platforms/libqoffscreen)

# The parts of the system that a copy would break, by their names before ".so": the C library, OpenGL with what its drivers load, and X.
# Any machine with a desktop has them.
set(SBX_SYSTEM_LIBRARIES
    ld-linux-x86-64 libc libm libdl libpthread librt libresolv libutil libmvec libanl
    libGL libEGL libGLX libGLdispatch libGLESv2 libgbm libdrm libwayland-client libwayland-server libwayland-egl
    libstdc++ libgcc_s libz libexpat # OpenGL's drivers load the system's own
    libX11 libX11-xcb libXext libXau libXdmcp libxcb libxcb-glx libxcb-dri2 libxcb-dri3 libxcb-present libxcb-randr libxcb-sync
    libxcb-xfixes libxcb-shm libxshmfence)

# The fonts of the windows.
set(SBX_CARRIED_FONTS
    /usr/share/fonts/opentype/inter/Inter-Regular.otf /usr/share/fonts/opentype/inter/Inter-Italic.otf
    /usr/share/fonts/opentype/inter/Inter-Medium.otf /usr/share/fonts/opentype/inter/Inter-SemiBold.otf
    /usr/share/fonts/opentype/inter/Inter-Bold.otf
    /usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf /usr/share/fonts/truetype/dejavu/DejaVuSansMono-Bold.ttf
    /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf)
