#version 450
// Adds what was pushed, once for each group.
layout(local_size_x = 1) in;
layout(binding = 0) buffer Sum { uint sum; };
layout(push_constant) uniform Pushed { uint more; };

void main()
{
    atomicAdd(sum, more);
}
