// d3d9_fixed.cpp - Direct3D 9 without shaders: a textured cube with two lights,
// highlights and fog.
#include "d3d9.hpp"

static D3DMATRIX as_d3d(const Matrix &m)
{
    D3DMATRIX made;

    memcpy(&made, &m, sizeof(made));
    return made;
}

static void add_light(DWORD number, D3DVECTOR direction, D3DCOLORVALUE colour)
{
    D3DLIGHT9 light = {};

    light.Type = D3DLIGHT_DIRECTIONAL;
    light.Diffuse = light.Specular = colour;
    light.Direction = direction;
    CHECK(device->SetLight(number, &light));
    CHECK(device->LightEnable(number, TRUE));
}

static void set_up()
{
    const float fog_from = 3, fog_to = 7;
    D3DMATERIAL9 material = {};
    D3DMATRIX seen = as_d3d(perspective());

    take_cube();
    material.Diffuse = material.Ambient = {1, 1, 1, 1};
    material.Specular = {0.6f, 0.6f, 0.6f, 1};
    material.Power = 20;
    CHECK(device->SetMaterial(&material));
    add_light(0, {0.4f, -0.8f, 0.5f}, {0.8f, 0.8f, 0.7f, 1});
    add_light(1, {-1, 0.2f, 0.3f}, {0.2f, 0.3f, 0.5f, 1});
    CHECK(device->SetTexture(0, picture()));
    CHECK(device->SetTransform(D3DTS_PROJECTION, &seen));
    CHECK(device->SetRenderState(D3DRS_AMBIENT, 0xff202028));
    CHECK(device->SetRenderState(D3DRS_SPECULARENABLE, TRUE));
    CHECK(device->SetRenderState(D3DRS_NORMALIZENORMALS, TRUE));
    CHECK(device->SetRenderState(D3DRS_CULLMODE, D3DCULL_NONE));
    CHECK(device->SetRenderState(D3DRS_FOGENABLE, TRUE));
    CHECK(device->SetRenderState(D3DRS_FOGCOLOR, 0xff1a334d));
    CHECK(device->SetRenderState(D3DRS_FOGVERTEXMODE, D3DFOG_LINEAR));
    CHECK(device->SetRenderState(D3DRS_FOGSTART, *(const DWORD *)&fog_from));
    CHECK(device->SetRenderState(D3DRS_FOGEND, *(const DWORD *)&fog_to));
    CHECK(device->SetSamplerState(0, D3DSAMP_MINFILTER, D3DTEXF_LINEAR));
    CHECK(device->SetSamplerState(0, D3DSAMP_MAGFILTER, D3DTEXF_LINEAR));
    CHECK(device->SetSamplerState(0, D3DSAMP_MIPFILTER, D3DTEXF_LINEAR));
}

static void draw(int frame)
{
    CHECK(device->Clear(0, nullptr, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xff1a334d, 1,
                        0));
    for (int i = 0; i < 3; i++) {
        D3DMATRIX place = as_d3d(turned((float)frame * 0.2f + (float)i, -0.5f) *
                                 moved((float)(i - 1) * 2.4f, 0, 4.5f + (float)i));

        CHECK(device->SetTransform(D3DTS_WORLD, &place));
        CHECK(device->DrawIndexedPrimitive(D3DPT_TRIANGLELIST, 0, 0, 24, 0, 12));
    }
}
