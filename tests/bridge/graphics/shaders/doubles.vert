#version 450
// Vertices of 64-bit components, bit by bit into a buffer: 28 words each.
layout(location = 0) in dvec3 three;
layout(location = 2) in double one;
layout(location = 3) in dvec4 four;
layout(location = 5) in dvec2 two;
layout(location = 6) in vec4 plain;
layout(binding = 0) buffer Out { uint word[]; };

uint at;

void put(double d)
{
    uvec2 half_of = unpackDouble2x32(d);

    word[at++] = half_of.x;
    word[at++] = half_of.y;
}

void main()
{
    at = 28 * (gl_VertexIndex + 3 * gl_InstanceIndex);
    put(three.x);
    put(three.y);
    put(three.z);
    put(one);
    put(four.x);
    put(four.y);
    put(four.z);
    put(four.w);
    put(two.x);
    put(two.y);
    for (int c = 0; c < 4; c++)
        word[at++] = floatBitsToUint(plain[c]);
    word[at++] = gl_VertexIndex;
    word[at++] = gl_InstanceIndex;
    put(two.y * four.w);
    gl_Position = vec4(0, 0, 0, 1);
}
