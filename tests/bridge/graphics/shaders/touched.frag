#version 450
// Which pixels a shader runs for, how often, and for which samples.
layout(binding = 0) buffer Touched { uint pixel[]; };

void main()
{
    atomicAdd(pixel[uint(gl_FragCoord.y) * 32 + uint(gl_FragCoord.x)],
              0x10000 + uint(gl_SampleMaskIn[0]));
}
