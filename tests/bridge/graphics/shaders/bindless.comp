#version 450
#extension GL_EXT_nonuniform_qualifier : require
// Descriptors that may change until commands are submitted: more than a table has
// entries, and each invocation chooses its own.
layout(local_size_x = 8) in;
layout(binding = 0) uniform sampler2D texture_of[300];
layout(binding = 1, r32ui) uniform uimage2D image_of[40];
layout(binding = 2) buffer Of { uint word[8]; } buffer_of[40];
layout(binding = 3) uniform Constants { uvec4 more; } constants_of[40];
layout(binding = 4) buffer Out { uint result[]; };

void main()
{
    uint i = gl_GlobalInvocationID.x;
    uint t = (7 * i) % 300, k = (3 * i) % 40;

    result[i] = uint(textureLod(texture_of[nonuniformEXT(t)], vec2(0.5), 0.0).x) +
                uint(textureSize(texture_of[nonuniformEXT(t)], 0).x) * 1000 +
                constants_of[gl_WorkGroupID.x % 40].more.y * 10000;
    imageAtomicAdd(image_of[nonuniformEXT(k)], ivec2(i % 2, 0), i);
    atomicAdd(buffer_of[nonuniformEXT(k)].word[i % 8], i + 1);
    if (i < 40) { // the same for all that are left
        uint old = imageLoad(image_of[nonuniformEXT(i)], ivec2(2, 0)).x;
        imageStore(image_of[nonuniformEXT(i)], ivec2(3, 0), uvec4(old + i));
    }
}
