/* gl.h - what the GL programs of these tests share: a shader compiled, a picture saved.
 * What fails ends the program with 3. */
#ifndef GL_H
#define GL_H
#include <GLES3/gl32.h>
#include <stdio.h>
#include <stdlib.h>

static inline GLuint compile(GLenum type, GLsizei parts, const char *const *source)
{
    GLuint s = glCreateShader(type);
    GLint good;

    glShaderSource(s, parts, source, NULL);
    glCompileShader(s);
    glGetShaderiv(s, GL_COMPILE_STATUS, &good);
    if (!good) {
        char log[1000];

        glGetShaderInfoLog(s, sizeof(log), NULL, log);
        fprintf(stderr, "%s\n%s\n", log, source[parts - 1]);
        exit(3);
    }
    return s;
}

/* The frame buffer's width x height pixels as PPM. */
static inline void save_picture(const char *path, int width, int height)
{
    size_t row = (size_t)width * 4;
    unsigned char *pixel = malloc(row * (size_t)height);
    FILE *file = fopen(path, "wb");

    if (pixel == NULL || file == NULL)
        exit(3);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
    fprintf(file, "P6 %d %d 255\n", width, height);
    for (int y = height - 1; y >= 0; y--)
        for (int x = 0; x < width; x++)
            fwrite(&pixel[row * (size_t)y + 4 * (size_t)x], 1, 3, file);
    fclose(file);
    free(pixel);
}

#endif
