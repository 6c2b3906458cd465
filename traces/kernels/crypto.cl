/* crypto.cl - ciphers and hashes, a block an item.
 *
 * chacha20  the block function (RFC 8439): key of 8 words, item number as counter.
 * sha256    one compression of the standard's initial state with 16 words.
 * xtea      32 rounds over two words.
 * SIMD: sub-group size to compile for. */
#ifdef SIMD
#define WIDTH __attribute__((intel_reqd_sub_group_size(SIMD)))
#else
#define WIDTH
#endif
#pragma OPENCL FP_CONTRACT OFF

#define QUARTER(a, b, c, d)                                                            \
    a += b, d = rotate(d ^ a, 16u), c += d, b = rotate(b ^ c, 12u);                    \
    a += b, d = rotate(d ^ a, 8u), c += d, b = rotate(b ^ c, 7u);

__kernel WIDTH void chacha20(__global const uint *key, __global uint *out)
{
    uint item = get_global_id(0), x[16], s[16];

    s[0] = 0x61707865, s[1] = 0x3320646e, s[2] = 0x79622d32, s[3] = 0x6b206574;
    for (uint i = 0; i < 8; i++)
        s[4 + i] = key[i];
    s[12] = item, s[13] = 0x4a000000, s[14] = 0, s[15] = 9;
    for (uint i = 0; i < 16; i++)
        x[i] = s[i];
    for (uint round = 0; round < 10; round++) {
        QUARTER(x[0], x[4], x[8], x[12])
        QUARTER(x[1], x[5], x[9], x[13])
        QUARTER(x[2], x[6], x[10], x[14])
        QUARTER(x[3], x[7], x[11], x[15])
        QUARTER(x[0], x[5], x[10], x[15])
        QUARTER(x[1], x[6], x[11], x[12])
        QUARTER(x[2], x[7], x[8], x[13])
        QUARTER(x[3], x[4], x[9], x[14])
    }
    for (uint i = 0; i < 16; i++)
        out[item * 16 + i] = x[i] + s[i];
}

__constant uint round_constant[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
    0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
    0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
    0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
    0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
    0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
    0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
    0xc67178f2};

__kernel WIDTH void sha256(__global const uint *in, __global uint *out)
{
    uint item = get_global_id(0), w[16], s[8];
    const uint start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                           0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

    for (uint i = 0; i < 16; i++)
        w[i] = in[item * 16 + i];
    for (uint i = 0; i < 8; i++)
        s[i] = start[i];
    for (uint i = 0; i < 64; i++) {
        uint e = s[4], a = s[0], t, u;

        if (i >= 16) {
            uint p = w[(i + 1) & 15], q = w[(i + 14) & 15];

            w[i & 15] += (rotate(p, 25u) ^ rotate(p, 14u) ^ p >> 3) + w[(i + 9) & 15] +
                         (rotate(q, 15u) ^ rotate(q, 13u) ^ q >> 10);
        }
        t = s[7] + (rotate(e, 26u) ^ rotate(e, 21u) ^ rotate(e, 7u)) +
            ((e & s[5]) ^ (~e & s[6])) + round_constant[i] + w[i & 15];
        u = (rotate(a, 30u) ^ rotate(a, 19u) ^ rotate(a, 10u)) +
            ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
        s[7] = s[6], s[6] = s[5], s[5] = s[4], s[4] = s[3] + t;
        s[3] = s[2], s[2] = s[1], s[1] = s[0], s[0] = t + u;
    }
    for (uint i = 0; i < 8; i++)
        out[item * 8 + i] = start[i] + s[i];
}

__kernel WIDTH void xtea(__global const uint *in, __global uint *out,
                         __global const uint *key)
{
    uint item = get_global_id(0), a = in[2 * item], b = in[2 * item + 1], sum = 0;

    for (uint round = 0; round < 32; round++) {
        a += ((b << 4 ^ b >> 5) + b) ^ (sum + key[sum & 3]);
        sum += 0x9e3779b9;
        b += ((a << 4 ^ a >> 5) + a) ^ (sum + key[sum >> 11 & 3]);
    }
    out[2 * item] = a;
    out[2 * item + 1] = b;
}
