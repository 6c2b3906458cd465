#version 450
// 210 entries of a binding table: one invocation for each texture, image and buffer.
layout(local_size_x = 1) in;
layout(binding = 0) uniform sampler2D texture_of[90];
layout(binding = 1, r32ui) uniform uimage2D image_of[30];
layout(binding = 2) buffer Of { uint word[2]; } buffer_of[90];
layout(push_constant) uniform Pushed { uint turn; };

void main()
{
    for (uint i = 0; i < 90; i++) // chosen while the shader runs
        buffer_of[i].word[0] = uint(texelFetch(texture_of[89 - i], ivec2(0), 0).x) +
                               imageLoad(image_of[i % 30], ivec2(0)).x + turn;
    for (uint i = 0; i < 30; i++)
        imageStore(image_of[i], ivec2(1, 0), uvec4(1000 + i));
    buffer_of[0].word[1] = 1;
    buffer_of[40].word[1] = 2;
    buffer_of[89].word[1] = uint(textureLod(texture_of[77], vec2(0.5), 0.0).x) +
                            imageAtomicAdd(image_of[29], ivec2(0), 5);
}
