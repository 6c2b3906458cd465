#version 450
// Vertices as they were pushed: three places.
layout(push_constant) uniform Pushed { vec2 place[3]; };

void main()
{
    gl_Position = vec4(place[gl_VertexIndex], 0.5, 1);
}
