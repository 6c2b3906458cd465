#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer Words { uint word[]; };
void main() { word[gl_GlobalInvocationID.x] = word[gl_GlobalInvocationID.x] * 3u + 1u; }
