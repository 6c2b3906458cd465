#version 450
// As many rounds as were pushed, each of which needs the one before.
layout(local_size_x = 1) in;
layout(binding = 0) buffer Sum { uint sum; };
layout(push_constant) uniform Pushed { uint rounds; };

void main()
{
    uint v = sum;
    for (uint i = 0; i < rounds; i++)
        v = v * 3 + i;
    sum = v;
}
